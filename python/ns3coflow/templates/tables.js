/* SPDX-License-Identifier: GPL-2.0-only */
/* A click on the head of a column sorts its table. */
"use strict";

function sortable(table) {
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach(function (head, column) {
    head.tabIndex = 0;
    head.title = "sort by this column";
    function sort() {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = Array.from(table.tBodies[0].rows, function (row) {
        const text = row.cells[column].textContent.trim();
        return { row, text, number: parseFloat(text) };
      });
      const numeric = rows.some((each) => !isNaN(each.number));
      rows.sort(function (a, b) {
        if (!numeric) {
          return (down ? -1 : 1) * a.text.localeCompare(b.text);
        }
        // What is not known stands last in both directions.
        const missing = isNaN(a.number) - isNaN(b.number);
        return missing || (isNaN(a.number) ? 0 : (down ? -1 : 1) * (a.number - b.number));
      });
      rows.forEach((each) => table.tBodies[0].appendChild(each.row));
    }
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (event) => event.key === "Enter" && sort());
  });
}

document.querySelectorAll("table.sortable").forEach(sortable);
