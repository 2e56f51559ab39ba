// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Plots a metric over time, if weft has read it repeatedly: one line for each of the keys with the
 * highest totals, and a heat map if it is a histogram. All intervals have the same length; the
 * first begins with the weave or, on a page of `weft serve`, when the server first saw the aspect.
 */

const LINES = 8;

function rateUnit(metric, of) {
	return metric.type === "concurrency"
		? "inside at once"
		: of !== "sum"
			? "hits/s"
			: "per second";
}

function rateInWords(metric, of, value) {
	if (of === "sum" && metric.type === "sum" && metric.unit)
		return inWords(value, metric.unit) + "/s";
	return (
		(value >= 100 ? grouped(value) : String(Number(value.toPrecision(3)))) +
		(metric.type === "concurrency" ? "" : of === "sum" ? "/s" : " hits/s")
	);
}

function secondsInWords(seconds) {
	return seconds < 1
		? inWords(seconds * 1e9, "ns")
		: seconds < 120
			? String(Number(seconds.toFixed(2))) + " s"
			: Math.floor(seconds / 60) + " min " + Math.round(seconds % 60) + " s";
}

function drawAxes(svg, x, y, plot) {
	const {left, right, width, height, bottom} = plot;

	svg.append("g")
		.attr("class", "axis y")
		.attr("transform", `translate(${left},0)`)
		.call(
			d3
				.axisLeft(y)
				.ticks(4)
				.tickSize(-(width - left - right))
				.tickFormat(plot.format)
		);
	svg.append("g")
		.attr("class", "axis")
		.attr("transform", `translate(0,${height - bottom})`)
		.call(
			d3
				.axisBottom(x)
				.ticks(Math.max(2, Math.floor(width / 90)))
				.tickSizeOuter(0)
				.tickFormat((seconds) => (seconds ? secondsInWords(seconds) : "0"))
		)
		.selectAll(".tick:last-of-type text")
		.attr("text-anchor", "end")
		.attr("dx", 8);
}

/* ---- drawing line charts --------------------------------------------------------------------- */

/* Returns the lines to draw: one for each of the first keys, and one for the sum of all others. */
function linesOf(metric, samples) {
	const seconds = samples.interval_ns / 1e9;
	const scale = metric.type === "concurrency" ? 1 / samples.interval_ns : 1 / seconds;
	const lines = samples.keys.slice(0, LINES).map((key) => ({
		name: keyText(key),
		values: key.values.map((value) => value * scale)
	}));
	const rest = samples.keys.slice(LINES);

	if (rest.length || samples.others) {
		const sum = new Array(samples.n).fill(0);

		for (const key of [...rest, ...(samples.others ? [{values: samples.others}] : [])])
			key.values.forEach((value, i) => {
				sum[i] += value * scale;
			});
		if (sum.some((value) => value))
			lines.push({name: "all others", values: sum, rest: true});
	}
	lines.forEach((line, i) => {
		line.colour = line.rest ? "var(--muted)" : `var(--line${i % LINES})`;
	});
	return lines;
}

function drawLines(svg, width, metric, samples, lines) {
	const plot = {left: 58, right: 12, top: 8, bottom: 22, width, height: 190};
	const seconds = samples.interval_ns / 1e9;
	const most = d3.max(lines, (line) => d3.max(line.values)) || 1;
	const x = d3.scaleLinear([0, samples.n * seconds], [plot.left, width - plot.right]);
	const y = d3.scaleLinear([0, most * 1.05], [plot.height - plot.bottom, plot.top]);
	const middle = (i) => x((i + 0.5) * seconds);
	const path = d3.line(
		(_, i) => middle(i),
		(value) => y(value)
	);

	plot.format =
		metric.type === "sum" && metric.unit
			? (value) => inWords(value, metric.unit)
			: brief;
	drawAxes(svg, x, y, plot);
	if (lines.length === 1)
		svg.append("path")
			.attr("class", "area")
			.attr(
				"d",
				d3.area(
					(_, i) => middle(i),
					y(0),
					(value) => y(value)
				)(lines[0].values)
			);
	svg.append("g")
		.attr("class", "lines")
		.selectAll("path")
		.data(lines)
		.join("path")
		.attr("d", (line) => path(line.values))
		.style("stroke", (line) => line.colour)
		.attr("class", (line) => (line.rest ? "rest" : null))
		.attr("data-line", (_, i) => i);
	/* A single interval makes no line: draw circles. */
	if (samples.n === 1)
		svg.append("g")
			.selectAll("circle")
			.data(lines)
			.join("circle")
			.attr("r", 3)
			.attr("cx", middle(0))
			.attr("cy", (line) => y(line.values[0]))
			.style("fill", (line) => line.colour);
	const rule = svg
		.append("line")
		.attr("class", "rule")
		.attr("y1", plot.top)
		.attr("y2", y(0))
		.attr("visibility", "hidden");

	readable(svg.node(), {
		n: samples.n,
		at: (px) =>
			px < plot.left || px > width - plot.right
				? -1
				: Math.min(samples.n - 1, Math.floor(x.invert(px) / seconds)),
		place: (i) => [middle(i), plot.top + 30],
		mark: (i) =>
			rule
				.attr("visibility", i < 0 ? "hidden" : null)
				.attr("x1", middle(Math.max(0, i)))
				.attr("x2", middle(Math.max(0, i))),
		lines: (i) => [
			secondsInWords(i * seconds) + " to " + secondsInWords((i + 1) * seconds),
			...lines.map((line) => [
				line.name,
				rateInWords(metric, samples.of, line.values[i] || 0),
				line.colour
			])
		]
	});
}

function legend(lines, plotted) {
	const list = make("ul", {class: "legend"});

	for (const [i, line] of lines.entries()) {
		const item = make(
			"li",
			null,
			make(
				"button",
				{type: "button", "aria-pressed": "false"},
				make("i", {style: "background:" + line.colour}),
				line.name
			)
		);
		const light = (on) => {
			for (const path of plotted.querySelectorAll("path[data-line]"))
				path.classList.toggle("dim", on && path.dataset.line !== String(i));
		};

		item.firstChild.addEventListener("click", () => {
			const on = item.firstChild.getAttribute("aria-pressed") !== "true";

			for (const other of list.querySelectorAll("button"))
				other.setAttribute("aria-pressed", "false");
			item.firstChild.setAttribute("aria-pressed", on);
			light(on);
		});
		list.append(item);
	}
	return list;
}

/* ---- drawing a heat map ---------------------------------------------------------------------- */

function heatOf(samples) {
	const all = samples.buckets.map((bucket) => [...bucket, 0]);

	for (const [, bucket, count] of samples.heat) all[bucket][2] += count;
	const bars = barsFor(all),
		cells = new Map();
	let most = 0;

	for (const [interval, bucket, count] of samples.heat) {
		const bar = bars.of(all[bucket]) - bars.first;
		const name = interval + "," + bar;
		const cell = cells.get(name) || {interval, bar, count: 0};

		cell.count += count;
		cells.set(name, cell);
		most = Math.max(most, cell.count);
	}
	return {bars, cells, most, n: bars.last - bars.first + 1};
}

function drawHeat(svg, width, metric, samples, heat) {
	const plot = {left: 58, right: 12, top: 8, bottom: 22, width, height: 190};
	const seconds = samples.interval_ns / 1e9,
		{bars} = heat;
	const x = d3.scaleLinear([0, samples.n * seconds], [plot.left, width - plot.right]);
	const y = barScale(bars, plot.height - plot.bottom, plot.top);
	const shade = d3.scaleSqrt([0, heat.most], [0.06, 1]);
	const column = (width - plot.left - plot.right) / samples.n;
	const ticks = roundNumbers(bars, metric.unit, 6);
	const place = Object.assign((value) => y(value), {
		domain: () => ticks,
		range: () => [plot.height - plot.bottom, plot.top],
		copy: () => place
	});

	drawAxes(svg, x, place, {...plot, format: (value) => inWords(value, metric.unit)});
	svg.select(".axis.y").call(
		d3
			.axisLeft(place)
			.tickValues(ticks)
			.tickSize(-(width - plot.left - plot.right))
			.tickFormat((value) => inWords(value, metric.unit))
	);
	svg.append("g")
		.attr("class", "heat")
		.selectAll("rect")
		.data([...heat.cells.values()])
		.join("rect")
		.attr("x", (cell) => x(cell.interval * seconds))
		.attr("width", Math.max(1, column - (column > 6 ? 1 : 0)))
		.attr("y", (cell) => y.right(cell.bar))
		.attr("height", (cell) => Math.max(1, y.left(cell.bar) - y.right(cell.bar) - 0.5))
		.attr("fill-opacity", (cell) => shade(cell.count));
	const box = svg.append("rect").attr("class", "box").attr("visibility", "hidden");
	const barAt = (py) =>
		d3.range(heat.n).find((bar) => py >= y.right(bar) && py <= y.left(bar));

	/*
	 * The index of a point is the number of its interval times heat.n, plus the number of its
	 * bar.
	 */
	readable(svg.node(), {
		n: samples.n * heat.n,
		moves: {ArrowLeft: -heat.n, ArrowRight: heat.n, ArrowUp: 1, ArrowDown: -1},
		at: (px, py) => {
			const bar = barAt(py);

			return px < plot.left || px >= width - plot.right || bar === undefined
				? -1
				: Math.floor((px - plot.left) / column) * heat.n + bar;
		},
		place: (i) => [x((Math.floor(i / heat.n) + 0.5) * seconds), y.right(i % heat.n)],
		mark: (i) => {
			box.attr("visibility", i < 0 ? "hidden" : null);
			if (i < 0) return;
			box.attr("x", x(Math.floor(i / heat.n) * seconds))
				.attr("width", column)
				.attr("y", y.right(i % heat.n))
				.attr("height", y.left(i % heat.n) - y.right(i % heat.n));
		},
		lines: (i) => {
			const at = Math.floor(i / heat.n);
			const cell = heat.cells.get(at + "," + (i % heat.n));

			return [
				barName(bars, i % heat.n, metric.unit),
				secondsInWords(at * seconds) +
					" to " +
					secondsInWords((at + 1) * seconds),
				["hits", grouped(cell ? cell.count : 0)]
			];
		}
	});
}

function heatMap(metric, samples) {
	const heat = heatOf(samples);
	const words = `${metric.metric}: how often which value, when; arrow keys read the cells`;
	const drawn = figure(
		(metric.type === "elapsed" ? "Time taken" : "Values") + " over time",
		words,
		190,
		(svg, width) => drawHeat(svg, width, metric, samples, heat)
	);
	const seconds = samples.interval_ns / 1e9;

	drawn.append(
		make(
			"p",
			{class: "shades note"},
			"1 hit ",
			make("i", {class: "ramp"}),
			` ${grouped(heat.most)} hits in ${secondsInWords(seconds)}`
		)
	);
	drawn.append(
		asTable(["time", "from ... to", "hits"], () =>
			[...heat.cells.values()].map((cell) => [
				secondsInWords(cell.interval * seconds),
				barName(heat.bars, cell.bar, metric.unit),
				grouped(cell.count)
			])
		)
	);
	return drawn;
}

/* ---- creating the figures of a metric -------------------------------------------------------- */

function rateLines(metric, samples) {
	const lines = linesOf(metric, samples),
		seconds = samples.interval_ns / 1e9;
	const words =
		`${metric.metric} over time, ${rateUnit(metric, samples.of)}, ` +
		`${lines.length} lines; arrow keys read the intervals`;
	const drawn = figure(
		`Over time, ${rateUnit(metric, samples.of)}`,
		words,
		190,
		(svg, width) => drawLines(svg, width, metric, samples, lines)
	);

	if (lines.length > 1) drawn.append(legend(lines, drawn));
	drawn.append(
		asTable(["time", ...lines.map((line) => line.name)], () =>
			d3
				.range(samples.n)
				.map((i) => [
					secondsInWords(i * seconds),
					...lines.map((line) =>
						rateInWords(metric, samples.of, line.values[i] || 0)
					)
				])
		)
	);
	return drawn;
}
