/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables with more than five rows sort by a click on the head of a column; long ones can be filtered. A table that is
   wider than its place becomes denser, and if that is not enough a list of rows. */
"use strict";
(function () {
  const SORTED_FROM = 6;
  const FILTERED_FROM = 40;
  const LONG_CELL = 60;
  const PHONE = "(max-width: 46em)";

  /* Numbers sort as numbers: what a cell begins with counts, and "1.2 ± 0.1" is 1.2. */
  function keyOf(row, column) {
    const text = row.cells[column] ? row.cells[column].textContent.trim() : "";
    const number = parseFloat(text.replace(/^[<>=\s]+/, ""));
    return { text: text.toLowerCase(), number: number };
  }

  function compare(a, b) {
    const first = isNaN(a.number);
    const second = isNaN(b.number);
    if (first !== second) {
      return first ? 1 : -1; /* numbers stand before words */
    }
    if (!first && a.number !== b.number) {
      return a.number - b.number;
    }
    return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
  }

  function sort(table, head, column) {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const each of table.tHead.rows[0].cells) {
      each.removeAttribute("aria-sort");
    }
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows).map(function (row) {
      return { row: row, key: keyOf(row, column) };
    });
    rows.sort(function (a, b) {
      return down ? compare(b.key, a.key) : compare(a.key, b.key);
    });
    for (const each of rows) {
      body.appendChild(each.row);
    }
  }

  function makeSortable(table) {
    table.classList.add("sortable");
    Array.from(table.tHead.rows[0].cells).forEach(function (head, column) {
      head.tabIndex = 0;
      head.title = "sort by this column";
      head.addEventListener("click", function () {
        sort(table, head, column);
      });
      head.addEventListener("keydown", function (event) {
        if (event.key === "Enter") {
          sort(table, head, column);
        }
      });
    });
  }

  function makeFilter(table) {
    const field = document.createElement("input");
    field.className = "table-filter";
    field.type = "search";
    field.placeholder = "show rows with all of these words";
    field.setAttribute("aria-label", field.placeholder);
    const shown = document.createElement("span");
    field.addEventListener("input", function () {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      for (const row of table.tBodies[0].rows) {
        const text = row.textContent.toLowerCase();
        const visible = words.every(function (word) {
          return text.includes(word);
        });
        row.hidden = !visible;
        count += visible ? 1 : 0;
      }
      shown.textContent = " " + count + " of " + table.tBodies[0].rows.length + " rows";
    });
    const place = table.closest(".table-wrapper") || table;
    place.parentNode.insertBefore(field, place);
    place.parentNode.insertBefore(shown, place);
  }

  /* Heads of columns stand before the cells of a list of rows. */
  function nameCells(table) {
    const heads = Array.from(table.tHead.rows[0].cells).map(function (head) {
      return head.textContent.trim();
    });
    for (const row of table.tBodies[0].rows) {
      Array.from(row.cells).forEach(function (cell, column) {
        cell.dataset.head = heads[column] || "";
        cell.classList.toggle("empty", !cell.textContent.trim());
        if (cell.childNodes.length !== 1 || cell.firstChild.nodeName !== "DIV") {
          /* One child, so that the head and the cell are two columns. */
          const content = document.createElement("div");
          content.append(...cell.childNodes);
          cell.append(content);
        }
      });
    }
  }

  /* On a phone, three columns with sentences are too narrow to be read. */
  function isBetterStacked(table) {
    const cells = Array.from(table.tBodies[0].rows).flatMap((row) => Array.from(row.cells));
    return table.tHead.rows[0].cells.length > 2 && cells.some((cell) => cell.textContent.length > LONG_CELL);
  }

  function fit(table) {
    const place = table.closest(".table-wrapper");
    const isNarrow = window.matchMedia(PHONE).matches;
    table.classList.remove("dense", "broken", "stacked");
    if (isNarrow && isBetterStacked(table)) {
      table.classList.add("stacked");
      return;
    }
    for (const name of isNarrow ? ["dense", "stacked"] : ["dense", "broken", "stacked"]) {
      if (place.scrollWidth > place.clientWidth + 1) {
        table.classList.add(name);
      }
    }
  }

  function fitAll() {
    const tables = Array.from(document.querySelectorAll("article .table-wrapper table"));
    tables.filter((table) => table.tHead && table.tBodies.length).forEach(fit);
  }

  window.addEventListener("load", fitAll);
  window.addEventListener("resize", fitAll);
  document.addEventListener("DOMContentLoaded", function () {
    for (const table of document.querySelectorAll("article table")) {
      if (!table.tHead || !table.tBodies.length) {
        continue;
      }
      nameCells(table);
      const rows = table.tBodies[0].rows.length;
      if (rows >= SORTED_FROM) {
        makeSortable(table);
      }
      if (rows >= FILTERED_FROM) {
        makeFilter(table);
      }
    }
  });
})();
