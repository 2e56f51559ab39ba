// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What all parts of the page use: its data, elements, numbers in words, and the readout that
 * follows the pointer or the arrow keys. The files of this folder become one script, in the order
 * that build.mk gives. Text from the kernel gets into the document as text, never as HTML.
 */
"use strict";

const hasPlots = typeof d3 !== "undefined";

/* ---- elements -------------------------------------------------------------------------------- */

/* make("p", {class: "note"}, "text", element, ...) */
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

/* ---- the page's data: objects, one a line ---------------------------------------------------- */

function parseLines(text) {
	const objects = [];

	for (const line of text.split("\n")) {
		if (!line.trim()) continue;
		const object = JSON.parse(line);

		if (object && typeof object === "object") objects.push(object);
	}
	return objects;
}

/* What weft reports, by kind. */
function sortObjects(objects) {
	return {
		metrics: objects.filter((o) => "metric" in o && Array.isArray(o.rows)),
		once: objects.filter((o) => "once" in o && Array.isArray(o.joinpoints)),
		records: objects.filter((o) => "time_ns" in o),
		samples: objects.filter((o) => "samples" in o),
		sources: objects.filter((o) => "source" in o && Array.isArray(o.lines)),
		places: objects.filter((o) => "shadow" in o),
		compared: objects.filter((o) => "compared" in o)
	};
}

/* ---- numbers in words ------------------------------------------------------------------------ */

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

/* As weft's text report writes it: "12.3 us", "4 KiB", "17". */
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

/* For axes: "20k", "1.5M". */
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

/* The number that a cell of weft's own tables shows: "1.2 ms" is 1200000. NaN: none. */
function numberOf(text) {
	const match = /^(?:[<>]=? )?(-?[\d.,]+(?:e[+-]?\d+)?)(?: (\S+))?$/.exec(text.trim());

	if (!match) return NaN;
	const value = Number(match[1].replace(/,/g, ""));
	const time = TIMES.indexOf(match[2]),
		bytes = BYTES.indexOf(match[2]);

	return time > 0 ? value * 1000 ** time : bytes > 0 ? value * 1024 ** bytes : value;
}

/* ---- drawing when it is seen ----------------------------------------------------------------- */

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

/* Calls @draw with @element's width as soon as it is near the screen, and when that changes. */
function whenSeen(element, draw) {
	drawings.set(element, {draw, visible: false, width: 0});
	seen.observe(element);
	resized.observe(element);
}

/* Draws again what was drawn already. */
function drawAgain(element) {
	const drawing = drawings.get(element);

	if (!drawing || !drawing.width) return;
	drawing.draw(drawing.width);
}

/* ---- the readout ----------------------------------------------------------------------------- */

const readout = make("div", {class: "readout", hidden: true, "aria-hidden": "true"});
const spoken = make("div", {class: "unseen", "aria-live": "polite"});

/* Shows lines beside a place of the screen; a line is text, or [name, value, colour]. */
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
 * Makes a figure's points readable by pointer and by keyboard. @at(x, y): the index of the point at
 * a place of the figure; -1: none. @place(i): where point i is. @lines(i): what is shown of it.
 * @mark(i): marks it in the figure; -1: none is. @moves: what the arrow keys add to the index.
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

/* A figure with a title; its plot is drawn by @draw(svg, width). @words: it in words. */
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

/* The table behind a figure, for who cannot see that. */
function asTable(heads, rows) {
	const details = make("details", {class: "behind"}, make("summary", null, "as a table"));

	details.addEventListener("toggle", () => {
		if (!details.open || details.querySelector("table")) return;
		const body = rows().map((cells) =>
			make("tr", null, ...cells.map((cell) => make("td", null, cell)))
		);

		details.append(
			make(
				"div",
				{
					class: "scroll",
					tabindex: 0,
					role: "region",
					"aria-label": "the figure as a table"
				},
				make(
					"table",
					null,
					make(
						"thead",
						null,
						make(
							"tr",
							null,
							...heads.map((head) =>
								make("th", {scope: "col"}, head)
							)
						)
					),
					make("tbody", null, ...body)
				)
			)
		);
	});
	return details;
}
