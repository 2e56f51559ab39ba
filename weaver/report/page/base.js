// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The basis of the page's script: the page's data, elements, formatted numbers, and the readout, a
 * box with values that follows the pointer or the arrow keys. The files of this folder are joined
 * into one script, in the order that build.mk gives. Text from the kernel is put into the document
 * as text, never as HTML.
 */
"use strict";

const hasPlots = typeof d3 !== "undefined";

/* ---- creating elements ----------------------------------------------------------------------- */

/*
 * Creates an element with attributes and children: make("p", {class: "note"}, "text", element,
 * ...).
 */
function make(tag, attributes, ...inside) {
	const element = document.createElement(tag);

	for (const [name, value] of Object.entries(attributes || {})) {
		if (value !== undefined && value !== null && value !== false)
			element.setAttribute(name, value === true ? "" : value);
	}
	element.append(...inside.filter((part) => part !== undefined && part !== null));
	return element;
}

let lastId = 0;

function newId() {
	return "i" + ++lastId;
}

/* ---- the page's data: one JSON object per line ----------------------------------------------- */

function parseLines(text) {
	const objects = [];

	for (const line of text.split("\n")) {
		if (!line.trim()) continue;
		const object = JSON.parse(line);

		if (object && typeof object === "object") objects.push(object);
	}
	return objects;
}

/* Sorts the objects that weft has written into lists by kind. */
function sortObjects(objects) {
	return {
		metrics: objects.filter((o) => "metric" in o && Array.isArray(o.rows)),
		once: objects.filter((o) => "once" in o && Array.isArray(o.joinpoints)),
		records: objects.filter((o) => "time_ns" in o),
		samples: objects.filter((o) => "samples" in o),
		sources: objects.filter((o) => "source" in o && Array.isArray(o.lines)),
		places: objects.filter((o) => "shadow" in o),
		drills: objects.filter((o) => "drill" in o && Array.isArray(o.calls)),
		compared: objects.filter((o) => "compared" in o)
	};
}

/* ---- formatting numbers ---------------------------------------------------------------------- */

function scaled(value, step, units) {
	let i = 0;

	while (i + 1 < units.length && Math.abs(value) >= step) {
		value /= step;
		i++;
	}
	const digits =
		Math.abs(value) >= 1000 || (Number.isInteger(value) && !i)
			? String(Math.round(value))
			: String(Number(value.toPrecision(3)));

	return units[i] ? digits + " " + units[i] : digits;
}

const TIMES = ["ns", "us", "ms", "s"];
const BYTES = ["B", "KiB", "MiB", "GiB", "TiB"];

function isBytes(unit) {
	return unit === "B" || unit === "bytes";
}

/* Formats a value with its unit as weft's text report does: "12.3 us", "4 KiB", "17". */
function inWords(value, unit) {
	if (value === null || value === undefined || Number.isNaN(value)) return "";
	if (unit === "ns") return scaled(value, 1000, TIMES);
	if (isBytes(unit)) return scaled(value, 1024, BYTES);
	const digits = Number.isInteger(value)
		? grouped(value)
		: String(Number(value.toPrecision(4)));

	return unit ? digits + " " + unit : digits;
}

function grouped(value) {
	return Math.round(value)
		.toString()
		.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/* Formats a number for an axis: "20k", "1.5M". */
function brief(value) {
	return scaled(value, 1000, ["", "k", "M", "G", "T"]).replace(" ", "");
}

function percent(part, whole) {
	if (!(whole > 0)) return "0 %";
	const value = (100 * part) / whole;

	return (
		(value >= 10 || !value
			? value.toFixed(0)
			: value >= 0.1
				? value.toFixed(1)
				: "<0.1") + " %"
	);
}

/*
 * Returns the number that a cell of one of weft's tables shows: 1200000 for "1.2 ms". NaN if it
 * shows no number.
 */
function numberOf(text) {
	const match = /^(?:[<>]=? )?(-?[\d.,]+(?:e[+-]?\d+)?)(?: (\S+))?$/.exec(text.trim());

	if (!match) return NaN;
	const value = Number(match[1].replace(/,/g, ""));
	const time = TIMES.indexOf(match[2]),
		bytes = BYTES.indexOf(match[2]);

	return time > 0 ? value * 1000 ** time : bytes > 0 ? value * 1024 ** bytes : value;
}

/* ---- drawing figures when they become visible ------------------------------------------------ */

const drawings = new Map();
const seen = new IntersectionObserver(
	(entries) => {
		for (const entry of entries) {
			const drawing = drawings.get(entry.target);

			drawing.visible = entry.isIntersecting;
			if (drawing.visible) redraw(entry.target, drawing);
		}
	},
	{rootMargin: "400px"}
);
const resized = new ResizeObserver((entries) => {
	for (const entry of entries) {
		const drawing = drawings.get(entry.target);

		if (drawing.visible) redraw(entry.target, drawing);
	}
});

function redraw(element, drawing) {
	const width = Math.floor(element.clientWidth);

	if (!width || width === drawing.width) return;
	drawing.width = width;
	drawing.draw(width);
}

/*
 * Calls @draw with the width of @element when the element comes near the visible part of the page,
 * and again when its width changes.
 */
function whenSeen(element, draw) {
	drawings.set(element, {draw, visible: false, width: 0});
	seen.observe(element);
	resized.observe(element);
}

/* Draws @element again, if it has been drawn. */
function drawAgain(element) {
	const drawing = drawings.get(element);

	if (!drawing || !drawing.width) return;
	drawing.draw(drawing.width);
}

/* ---- the readout, a box with values beside the pointer --------------------------------------- */

const readout = make("div", {class: "readout", hidden: true, "aria-hidden": "true"});
const spoken = make("div", {class: "unseen", "aria-live": "polite"});

/* Shows lines beside the point (x, y) of the screen. A line is a text or [name, value, colour]. */
function showReadout(lines, x, y) {
	readout.replaceChildren(
		...lines.map((line) =>
			Array.isArray(line)
				? make(
						"div",
						{class: "pair"},
						line[2]
							? make("i", {
									style:
										"background:" +
										line[2]
								})
							: "",
						make("span", null, line[0]),
						make("b", null, line[1])
					)
				: make("div", null, line)
		)
	);
	readout.hidden = false;
	const box = readout.getBoundingClientRect();
	const right = document.documentElement.clientWidth;

	x = x + 14 + box.width > right ? x - 14 - box.width : x + 14;
	readout.style.left = Math.max(4, Math.min(x, right - box.width - 4)) + "px";
	readout.style.top = Math.max(4, y - box.height - 10) + "px";
}

function hideReadout() {
	readout.hidden = true;
}

/*
 * Lets the user read a figure's points with the pointer and the keyboard. @points has these
 * members:
 * n: the number of points.
 * at(x, y): returns the index of the point at (x, y) in the figure, or -1.
 * place(i): returns where point i is.
 * lines(i): returns the lines that the readout shows for point i.
 * mark(i): marks point i; removes the mark if i is -1.
 * moves: how much each arrow key adds to the index; if absent, left and right add -1 and 1.
 */
function readable(figure, points) {
	let current = -1;

	function show(i, say) {
		current = i;
		points.mark(i);
		if (i < 0) {
			hideReadout();
			return;
		}
		const box = figure.getBoundingClientRect(),
			place = points.place(i);
		const lines = points.lines(i);

		showReadout(lines, box.left + place[0], box.top + place[1]);
		if (say)
			spoken.textContent = lines
				.map((line) =>
					Array.isArray(line) ? line[0] + " " + line[1] : line
				)
				.join("; ");
	}
	figure.onpointermove = figure.onpointerdown = (event) => {
		const box = figure.getBoundingClientRect();

		show(points.at(event.clientX - box.left, event.clientY - box.top), false);
	};
	figure.onpointerleave = () => show(-1, false);
	figure.onblur = () => show(-1, false);
	figure.onkeydown = (event) => {
		const step = (points.moves || {ArrowLeft: -1, ArrowRight: 1})[event.key];

		if (event.key === "Escape") {
			show(-1, false);
		} else if (event.key === "Home" || event.key === "End") {
			event.preventDefault();
			show(event.key === "Home" ? 0 : points.n - 1, true);
		} else if (step) {
			event.preventDefault();
			show(
				Math.max(
					0,
					Math.min(points.n - 1, current < 0 ? 0 : current + step)
				),
				true
			);
		}
	};
}

/*
 * Creates a figure with a title. @draw(svg, width) draws the plot. @words: a description for screen
 * readers.
 */
function figure(title, words, height, draw) {
	const holder = make("div", {class: "plot"});
	const element = make(
		"figure",
		null,
		title ? make("figcaption", null, title) : null,
		holder
	);

	holder.style.height = height + "px";
	whenSeen(holder, (width) => {
		const svg = d3
			.create("svg")
			.attr("width", width)
			.attr("height", height)
			.attr("viewBox", [0, 0, width, height])
			.attr("role", "img")
			.attr("tabindex", 0)
			.attr("aria-label", words);

		holder.replaceChildren(svg.node());
		draw(svg, width);
	});
	element.again = () => drawAgain(holder);
	return element;
}

/* ---- creating tables ------------------------------------------------------------------------- */

/* Creates the head of a table. Each of @heads is a text, or [text, class]. */
function tableHead(heads) {
	const cells = heads.map((head) => {
		const [text, style] = Array.isArray(head) ? head : [head];

		return make("th", {scope: "col", class: style}, text);
	});

	return make("thead", null, make("tr", null, ...cells));
}

/* Puts a table into a box that scrolls, by keyboard as well. @words describes the table. */
function scrolled(words, table) {
	return make(
		"div",
		{class: "scroll", tabindex: 0, role: "region", "aria-label": words},
		table
	);
}

/*
 * Creates a table with the data of a figure, for users who cannot see the figure. The table is
 * filled when the user opens it.
 */
function asTable(heads, rows) {
	const details = make("details", {class: "behind"}, make("summary", null, "as a table"));

	details.addEventListener("toggle", () => {
		if (!details.open || details.querySelector("table")) return;
		const body = rows().map((cells) =>
			make("tr", null, ...cells.map((cell) => make("td", null, cell)))
		);

		details.append(
			scrolled(
				"the figure as a table",
				make("table", null, tableHead(heads), make("tbody", null, ...body))
			)
		);
	});
	return details;
}
