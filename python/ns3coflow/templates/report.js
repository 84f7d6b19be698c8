/* SPDX-License-Identifier: GPL-2.0-only */
/* Figures are drawn in the width of the window from the data beside them, with the values under the
   pointer; dragging along the x axis zooms. Without this script, and on paper, the pictures are there
   instead. */

function make(name, attributes, parent, text) {
  const svg = ["svg", "g", "path", "line", "rect", "circle", "text", "clipPath"].includes(name);
  const made = svg
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  if (text !== undefined) {
    made.textContent = text;
  }
  if (parent) {
    parent.appendChild(made);
  }
  return made;
}

/* Numbers in words: seconds with their unit where the label of the axis says seconds. */
function say(value, label, digits) {
  if (value === null) {
    return "-";
  }
  const precise = digits || 4;
  if (/\(s\)$/.test(label)) {
    for (const [unit, size] of [["s", 1], ["ms", 1e-3], ["us", 1e-6], ["ns", 1e-9]]) {
      if (Math.abs(value) >= size * 0.99999 || (value === 0 && unit === "s")) {
        return `${Number((value / size).toPrecision(precise))} ${unit}`;
      }
    }
  }
  return String(Number(value.toPrecision(precise)));
}

function ticksOf(low, high, log, room) {
  const ticks = [];
  if (log) {
    const decades = Math.log10(high / low);
    if (decades > 0.8) {
      const factors = decades < 2.5 && room > 5 ? [1, 2, 5] : [1];
      const step = Math.max(1, Math.ceil(decades / room));
      for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += step) {
        factors.forEach((factor) => ticks.push(factor * 10 ** power));
      }
      return ticks.filter((each) => each >= low * 0.999999 && each <= high * 1.000001);
    }
  }
  const rough = (high - low) / room;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  for (let each = Math.ceil(low / step); each * step <= high + step * 1e-6; each++) {
    ticks.push(Number((each * step).toPrecision(12)));
  }
  return ticks;
}

function scaleOf(axis, range, from, to) {
  const f = axis.log ? Math.log : (value) => value;
  const [low, high] = range.map(f);
  const scale = (value) => from + ((f(value) - low) / (high - low)) * (to - from);
  scale.back = function (place) {
    const value = low + ((place - from) / (to - from)) * (high - low);
    return axis.log ? Math.exp(value) : value;
  };
  return scale;
}

let clips = 0;

/* One panel: its svg element, drawn again when the window, the zoom or what is hidden changes. */
function Panel(panel, place, live) {
  const box = make("div", { class: "panel" }, place);
  if (panel.title) {
    make("div", { class: "panel-title" }, box, panel.title);
  }
  const svg = make("svg", { role: "img", tabindex: 0, "aria-label": panel.title || "" }, box);
  const whole = make("button", { type: "button", class: "whole", hidden: "" }, box, "whole range");
  const tip = make("div", { class: "tip", hidden: "" }, box);
  const names = panel.x.names;
  let range = panel.x.range.slice();
  let frame, x, y, cursor, focus = null;

  const shown = () => panel.series.filter((each) => !live.hidden.has(each.name));

  function pathOf(each) {
    let text = "", before = null;
    each.x.forEach(function (value, i) {
      const other = each.y[i];
      const fits = other !== null && value !== null && !(panel.y.log && other <= 0);
      if (!fits || (panel.x.log && value <= 0)) {
        before = null;
        return;
      }
      const [a, b] = [x(value).toFixed(1), y(other).toFixed(1)];
      text += before === null ? `M${a} ${b}` : each.kind === "step" ? `H${a}V${b}` : `L${a} ${b}`;
      before = b;
    });
    return text;
  }

  function drawBars(inside) {
    const all = panel.series.filter((each) => each.kind === "bars");
    const drawn = shown().filter((each) => each.kind === "bars");
    const width = (x(1) - x(0)) * 0.84 / Math.max(1, drawn.length);
    const floor = y(panel.y.log ? panel.y.range[0] : Math.max(0, panel.y.range[0]));
    drawn.forEach(function (each, i) {
      const many = all.indexOf(each) >= 7; // colours repeat: paler then
      each.y.forEach(function (value, at) {
        if (value === null || (panel.y.log && value <= 0)) {
          return;
        }
        const left = x(at) - (x(1) - x(0)) * 0.42 + i * width;
        make("rect", {
          x: left.toFixed(1), width: Math.max(1, width - 1).toFixed(1),
          y: Math.min(y(value), floor).toFixed(1),
          height: Math.abs(floor - y(value)).toFixed(1),
          fill: each.colour, "fill-opacity": many ? 0.5 : 1,
        }, inside);
      });
    });
  }

  function drawSeries(inside) {
    drawBars(inside);
    panel.series.forEach(function (each) {
      if (live.hidden.has(each.name) || each.kind === "bars") {
        return;
      }
      if (each.kind === "rule") {
        const flat = each.x[0] === null;
        const line = flat ? { x: range, y: [each.y[0], each.y[0]] } : each;
        make("path", { d: pathOf(line), stroke: "#000", fill: "none" }, inside);
        return;
      }
      if (each.kind !== "points") {
        make("path", {
          d: pathOf(each), stroke: each.colour, fill: "none", "stroke-width": 2,
          "stroke-dasharray": each.dash.map((part) => part * 2).join(" "),
        }, inside);
      }
      each.x.forEach(function (value, i) {
        if (each.y[i] === null || !(each.kind === "points" || each.marks)) {
          return;
        }
        make("circle", { cx: x(value).toFixed(1), cy: y(each.y[i]).toFixed(1), r: 3,
          fill: each.colour, "fill-opacity": each.kind === "points" ? 0.6 : 1 }, inside);
        if (each.half && each.half[i] !== null) {
          const [low, high] = [each.y[i] - each.half[i], each.y[i] + each.half[i]];
          const bottom = panel.y.log ? Math.max(low, panel.y.range[0]) : low;
          make("path", { d: `M${x(value)} ${y(bottom)}V${y(high)}`, stroke: each.colour }, inside);
        }
      });
    });
  }

  function draw() {
    const width = box.clientWidth;
    if (!width) {
      return;
    }
    const height = Math.round(Math.min(320, Math.max(200, width * 0.5)));
    svg.replaceChildren();
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    frame = { left: 58, right: width - 10, top: 20, bottom: height - 38 };
    y = scaleOf(panel.y, panel.y.range, frame.bottom, frame.top);
    x = scaleOf(panel.x, range, frame.left, frame.right);
    const room = Math.max(4, Math.floor((frame.right - frame.left) / 75));
    ticksOf(...panel.y.range, panel.y.log, 6).forEach(function (value) {
      make("line", { x1: frame.left, x2: frame.right, y1: y(value), y2: y(value), class: "rule" },
        svg);
      make("text", { x: frame.left - 6, y: y(value) + 4, "text-anchor": "end" }, svg,
        say(value, panel.y.label, 3));
    });
    const marks = names ? names.map((_, i) => i) : ticksOf(...range, panel.x.log, room);
    marks.forEach(function (value) {
      if (!names) {
        make("line", { x1: x(value), x2: x(value), y1: frame.top, y2: frame.bottom, class: "rule" },
          svg);
      }
      const text = names ? names[value] : say(value, panel.x.label, 5);
      // At the edge of the picture, the text moves inwards so that no letter is cut off.
      const middle = Math.min(x(value), width - text.length * 3.6);
      make("text", { x: middle, y: frame.bottom + 16, "text-anchor": "middle" }, svg, text);
    });
    make("text", { x: 0, y: 12, class: "label" }, svg, panel.y.label);
    make("text", { x: frame.right, y: height - 5, "text-anchor": "end", class: "label" }, svg,
      panel.x.label);
    const clip = `clip${++clips}`;
    make("rect", { x: frame.left, y: frame.top - 4, width: frame.right - frame.left,
      height: frame.bottom - frame.top + 4 }, make("clipPath", { id: clip }, svg));
    drawSeries(make("g", { "clip-path": `url(#${clip})` }, svg));
    make("path", { d: `M${frame.left} ${frame.top}V${frame.bottom}H${frame.right}`, class: "axis" },
      svg);
    cursor = make("g", {}, svg);
    whole.hidden = range.every((value, i) => value === panel.x.range[i]);
    if (focus !== null) {
      tell(focus);
    }
  }

  /* The value of a series at a place: of steps and lines the last point that is not behind it. */
  function valueAt(each, value) {
    if (each.kind === "bars") {
      return each.y[value];
    }
    let found = null, nearest = Infinity;
    each.x.forEach(function (at, i) {
      const far = Math.abs((panel.x.log ? Math.log(at / value) : at - value));
      if (each.kind === "step" ? at <= value : far < nearest) {
        found = each.y[i];
        nearest = far;
      }
    });
    return found === null && each.kind === "step" ? 0 : found;
  }

  function tellPoint(value, at) {
    let best = null;
    shown().filter((each) => each.kind === "points").forEach(function (each) {
      each.x.forEach(function (first, i) {
        const far = Math.hypot(x(first) - x(value), at === undefined ? 0 : y(each.y[i]) - at);
        if (!best || far < best.far) {
          best = { far, x: first, y: each.y[i] };
        }
      });
    });
    if (best) {
      make("circle", { cx: x(best.x), cy: y(best.y), r: 6, class: "ring" }, cursor);
      [["x", panel.x], ["y", panel.y]].forEach(([key, axis]) =>
        make("div", {}, tip, `${axis.label.replace(/ \(s\)$/, "")}: ${say(best[key], axis.label)}`));
    }
    return best;
  }

  function tell(value, at) {
    focus = value;
    cursor.replaceChildren();
    tip.replaceChildren();
    let place = x(value);
    if (panel.series.some((each) => each.kind === "points")) {
      const best = tellPoint(value, at);
      place = best ? x(best.x) : place;
    } else {
      const nearest = names ? Math.max(0, Math.min(names.length - 1, Math.round(value))) : value;
      place = x(nearest);
      make("line", { x1: place, x2: place, y1: frame.top, y2: frame.bottom, class: "cursor" },
        cursor);
      const label = panel.x.label.replace(/ \(s\)$/, "");
      const head = names ? [label, names[nearest]] : [label, say(value, panel.x.label)];
      make("b", {}, tip, head.filter(Boolean).join(" "));
      shown().filter((each) => each.kind !== "rule").forEach(function (each) {
        const found = valueAt(each, nearest);
        const row = make("div", {}, tip);
        make("i", { style: `background:${each.colour}` }, row);
        const share = /^share/.test(panel.y.label);
        const said = share ? `${say(found === null ? null : 100 * found, "", 3)} %`
          : say(found, panel.y.label);
        row.append(`${each.name}: ${said}`);
      });
    }
    tip.hidden = false;
    const left = place + 12 + tip.offsetWidth > box.clientWidth ? place - 12 - tip.offsetWidth
      : place + 12;
    tip.style.left = `${Math.max(0, left)}px`;
    const top = svg.getBoundingClientRect().top - box.getBoundingClientRect().top;
    tip.style.top = `${top + frame.top}px`;
  }

  function leave() {
    focus = null;
    tip.hidden = true;
    cursor.replaceChildren();
  }

  function zoom(low, high) {
    if (names || !(x(high) - x(low) > 8)) {
      return;
    }
    range = [Math.max(low, panel.x.range[0]), Math.min(high, panel.x.range[1])];
    draw();
  }

  function reset() {
    range = panel.x.range.slice();
    draw();
  }

  const within = (event) => [
    Math.max(frame.left, Math.min(frame.right, event.clientX - svg.getBoundingClientRect().left)),
    event.clientY - svg.getBoundingClientRect().top,
  ];
  let start = null;
  svg.addEventListener("pointerdown", function (event) {
    start = within(event)[0];
    tell(x.back(start), within(event)[1]);
    if (event.isTrusted) {
      svg.setPointerCapture(event.pointerId);
    }
  });
  svg.addEventListener("pointermove", function (event) {
    const [across, down] = within(event);
    tell(x.back(across), down);
    if (start !== null && !names && Math.abs(across - start) > 8) {
      make("rect", { x: Math.min(start, across), width: Math.abs(across - start), y: frame.top,
        height: frame.bottom - frame.top, class: "chosen" }, cursor);
    }
  });
  svg.addEventListener("pointerup", function (event) {
    const ends = start === null ? [0, 0] : [start, within(event)[0]];
    start = null;
    zoom(x.back(Math.min(...ends)), x.back(Math.max(...ends)));
  });
  svg.addEventListener("pointercancel", () => (start = null));
  svg.addEventListener("pointerleave", () => start === null && leave());
  svg.addEventListener("blur", leave);
  svg.addEventListener("dblclick", reset);
  whole.addEventListener("click", reset);
  svg.addEventListener("keydown", function (event) {
    const middle = focus === null ? x.back((frame.left + frame.right) / 2) : focus;
    const step = names ? x(1) - x(0) : (frame.right - frame.left) / 50;
    const [left, right] = [x(middle) - frame.left, frame.right - x(middle)];
    const moves = {
      ArrowLeft: () => tell(x.back(Math.max(frame.left, x(middle) - step))),
      ArrowRight: () => tell(x.back(Math.min(frame.right, x(middle) + step))),
      "+": () => zoom(x.back(frame.left + left / 4), x.back(frame.right - right / 4)),
      "-": reset,
      Escape: reset,
    };
    if (moves[event.key]) {
      event.preventDefault();
      moves[event.key]();
    }
  });
  return draw;
}

function drawLive(figure) {
  const content = figure.querySelector("script[type='application/json']");
  if (!content) {
    return;
  }
  const data = JSON.parse(content.textContent);
  const live = { hidden: new Set() };
  const place = figure.querySelector(".live");
  const legend = make("div", { class: "legend" }, place);
  const panels = make("div", { class: "panels" }, place);
  panels.style.setProperty("--columns", data.columns);
  const draws = data.panels.map((panel) => Panel(panel, panels, live));
  const redraw = () => draws.forEach((draw) => draw());
  const named = new Map();
  data.panels.forEach((panel) => panel.series.forEach(function (each) {
    if (each.name) {
      named.set(each.name, each);
    }
  }));
  named.forEach(function (each, name) {
    const entry = make("button", { type: "button", "aria-pressed": "true", title: "show or hide" },
      legend);
    make("i", { style: `background:${each.colour}` }, entry);
    entry.append(name);
    entry.addEventListener("click", function () {
      const hide = !live.hidden.has(name);
      live.hidden[hide ? "add" : "delete"](name);
      entry.setAttribute("aria-pressed", String(!hide));
      redraw();
    });
  });
  figure.classList.add("is-live");
  redraw();
  let width = place.clientWidth;
  new ResizeObserver(function () {
    if (place.clientWidth !== width) {
      width = place.clientWidth;
      redraw();
    }
  }).observe(place);
}

document.querySelectorAll("figure").forEach(drawLive);
for (const picture of document.querySelectorAll("figure img")) {
  picture.addEventListener("click", () => picture.closest("figure").classList.toggle("large"));
}
