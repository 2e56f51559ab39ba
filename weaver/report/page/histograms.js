// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws histograms: one of all hits of a metric, and small ones of the keys with the highest cost.
 * A bucket is [least, next, count]; null is an open end. All histograms of a metric have the same
 * bars and the same scales, so that they can be compared at a glance.
 */

const BARS_WANTED = 32;
const CARDS_FIRST = 12;
const CARDS_MORE = 24;

/* ---- computing with buckets ------------------------------------------------------------------ */

function addBuckets(rows) {
	const sum = new Map();

	for (const row of rows) {
		for (const [least, next, count] of row.buckets || []) {
			const name = least + "," + next;
			const known = sum.get(name);

			if (known) known[2] += count;
			else sum.set(name, [least, next, count]);
		}
	}
	return [...sum.values()].sort(
		(a, b) => (a[0] === null ? -Infinity : a[0]) - (b[0] === null ? -Infinity : b[0])
	);
}

/* Returns the metric's rows and, if there is one, the sum of the hits that found no row. */
function allRows(metric) {
	return metric.others ? [...metric.rows, metric.others] : metric.rows;
}

function countOf(buckets) {
	return buckets.reduce((sum, bucket) => sum + bucket[2], 0);
}

/*
 * Returns a percentile, computed as weft does it: the middle of the bucket that contains it. @part:
 * from 0 to 1.
 */
function percentileOf(buckets, part) {
	const wanted = Math.ceil(part * countOf(buckets));
	let seenSoFar = 0;

	for (const [least, next, count] of buckets) {
		seenSoFar += count;
		if (seenSoFar >= wanted && count)
			return least === null
				? next
				: next === null
					? least
					: (least + next - 1) / 2;
	}
	return NaN;
}

/*
 * Returns whether the histogram's scale is linear: all buckets have one width. Else it is
 * logarithmic.
 */
function isLinear(buckets) {
	const closed = buckets.filter((b) => b[0] !== null && b[1] !== null);
	const width = closed.length ? closed[0][1] - closed[0][0] : 0;

	return (
		closed.some((b) => b[0] < 0) ||
		(closed.length > 1 &&
			closed.every((b) => Math.abs(b[1] - b[0] - width) < 1e-9 * width))
	);
}

/*
 * Returns the bars that all histograms of a metric have in common, computed from @buckets, all
 * buckets of the metric. The result has the first and last bar, the edges of a bar, and of(bucket),
 * which returns the bar to which a bucket belongs.
 */
function barsFor(buckets) {
	const closed = buckets.filter((b) => b[0] !== null && b[1] !== null);
	const linear = isLinear(buckets);
	const below = buckets.some((b) => b[0] === null),
		above = buckets.some((b) => b[1] === null);
	let first, last, barOf, edge;

	if (!closed.length)
		closed.push(
			below
				? [buckets[0][1], buckets[0][1] + 1, 0]
				: [buckets[0][0] / 2, buckets[0][0], 0]
		);
	if (linear) {
		const least = closed[0][0],
			width = closed[0][1] - least;
		const n = (closed.at(-1)[1] - least) / width;
		const step = width * Math.ceil(n / (2 * BARS_WANTED));

		barOf = (value) => Math.floor((value - least) / step + 1e-9);
		edge = (bar) => least + bar * step;
	} else {
		const octaves = Math.log2(
			Math.max(2, closed.at(-1)[1]) / Math.max(1, closed[0][0])
		);
		let parts = 1;

		while (octaves * parts * 2 <= BARS_WANTED && parts < 32) parts *= 2;
		/*
		 * On a logarithmic scale each power of two is divided into @parts bars of the same
		 * width. Bar -1 is for the value 0.
		 */
		barOf = (value) => {
			if (value < 1) return -1;
			const octave = Math.floor(Math.log2(value) + 1e-9);

			return (
				octave * parts +
				Math.min(
					parts - 1,
					Math.floor((value / 2 ** octave - 1) * parts + 1e-9)
				)
			);
		};
		edge = (bar) =>
			bar < 0 ? 0 : 2 ** Math.floor(bar / parts) * (1 + (bar % parts) / parts);
	}
	first = barOf(closed[0][0]);
	last = Math.max(first, ...closed.map((b) => barOf(b[0])));
	return {
		linear,
		first: first - below,
		last: last + above,
		below,
		above,
		edge,
		lowest: edge(first),
		highest: edge(last + 1),
		of: (b) => (b[0] === null ? first - 1 : b[1] === null ? last + 1 : barOf(b[0]))
	};
}

function barCounts(bars, buckets) {
	const counts = new Array(bars.last - bars.first + 1).fill(0);

	for (const bucket of buckets) counts[bars.of(bucket) - bars.first] += bucket[2];
	return counts;
}

function barName(bars, i, unit) {
	const bar = bars.first + i;

	if (bars.below && !i) return "< " + inWords(bars.lowest, unit);
	if (bars.above && bar === bars.last) return ">= " + inWords(bars.highest, unit);
	return inWords(bars.edge(bar), unit) + " to " + inWords(bars.edge(bar + 1), unit);
}

/* ---- mapping values to coordinates ----------------------------------------------------------- */

/*
 * Returns the scale from values to x coordinates between @from and @to. The width of a bar is
 * proportional to its range of values on a linear scale, else to the range of their logarithms.
 */
function barScale(bars, from, to) {
	const n = bars.last - bars.first + 1;
	const place = bars.linear
		? (value) => value
		: (value) => (value < 1 ? value - 1 : Math.log2(value));
	const low = place(bars.lowest),
		high = place(bars.highest);
	const width = (high - low) / Math.max(1, n - bars.below - bars.above);
	const scale = d3.scaleLinear(
		[low - width * bars.below, high + width * bars.above],
		[from, to]
	);
	const x = (value) => scale(place(value));

	x.left = (i) => (bars.below && !i ? from : x(bars.edge(bars.first + i)));
	x.right = (i) =>
		bars.above && i === n - 1
			? to
			: bars.below && !i
				? x(bars.lowest)
				: x(bars.edge(bars.first + i + 1));
	return x;
}

/*
 * Returns about @wanted round numbers in the range of the bars, for the labels of an axis. On a
 * logarithmic scale they are powers of 10, of 2 or of another power of 2.
 */
function roundNumbers(bars, unit, wanted) {
	const low = bars.lowest,
		high = bars.highest,
		found = [];

	if (bars.linear)
		return d3.ticks(low, high, wanted).filter((value) => value >= low && value <= high);
	const decades = Math.log10(high / Math.max(1, low));
	const bases = isBytes(unit) || decades < 1.5 ? [2, 4, 16, 32, 1024] : [10, 100, 1000];
	const base = bases.find((b) => decades / Math.log10(b) <= wanted) || bases.at(-1);

	if (low < 1) found.push(0);
	for (let value = 1; value <= high * 1.001; value *= base) {
		if (value >= low && (value > 1 || low >= 1 || wanted > 5)) found.push(value);
	}
	if (found.length < 2) return [low, high];
	return found;
}

function drawAxisX(svg, x, ticks, unit, y) {
	const axis = svg.append("g").attr("class", "axis").attr("transform", `translate(0,${y})`);
	const place = Object.assign((value) => x(value), {
		domain: () => ticks,
		range: () => [x.from, x.to],
		copy: () => place
	});

	axis.call(
		d3
			.axisBottom(place)
			.tickValues(ticks)
			.tickSizeOuter(0)
			.tickFormat((value) => inWords(value, unit))
	);
	/* Remove labels that would touch their neighbours. */
	let end = -Infinity;

	axis.selectAll(".tick").each(function (value) {
		const text = this.querySelector("text"),
			n = text.getComputedTextLength();
		let from = x(value) - n / 2;

		if (from < x.from - 30) {
			text.setAttribute("text-anchor", "start");
			from = x(value);
		} else if (from + n > x.to) {
			text.setAttribute("text-anchor", "end");
			from = x(value) - n;
		}
		if (from < end + 8) text.remove();
		else end = from + n;
	});
}

/* ---- drawing one histogram ------------------------------------------------------------------- */

/*
 * Draws a histogram, given as the count of each bar. plot.most: the share of all hits that a bar of
 * the figure's full height stands for. plot.other: counts of another histogram, which is drawn as
 * an outline for comparison; its bars show shares of its own hits.
 */
function drawHistogram(svg, width, height, plot) {
	const {bars, counts, unit, most} = plot;
	const left = plot.left || 40,
		bottom = 22,
		top = 8;
	const x = barScale(bars, left, width - 6);
	const total = d3.sum(counts) || 1;
	const y = d3.scaleLinear([0, most], [height - bottom, top]);
	const otherTotal = plot.other ? d3.sum(plot.other) || 1 : 1;

	x.from = left;
	x.to = width - 6;
	svg.append("g")
		.attr("class", "axis y")
		.attr("transform", `translate(${left},0)`)
		.call(
			d3
				.axisLeft(y)
				.ticks(height > 140 ? 4 : 2)
				.tickSize(-(width - left - 6))
				.tickFormat((share) => percent(share, 1))
		);
	const groups = svg
		.append("g")
		.attr("class", "bars")
		.selectAll("rect")
		.data(counts)
		.join("rect")
		.attr("x", (_, i) => x.left(i))
		.attr("width", (_, i) => Math.max(1, x.right(i) - x.left(i) - 1))
		.attr("y", (count) => (count ? Math.min(y(count / total), y(0) - 1) : y(0)))
		.attr("height", (count) => (count ? Math.max(1, y(0) - y(count / total)) : 0))
		.attr("class", (_, i) =>
			(bars.below && !i) || (bars.above && i === counts.length - 1)
				? "open"
				: null
		);

	if (plot.other) {
		const steps = plot.other.flatMap((count, i) => [
			[x.left(i), y(count / otherTotal)],
			[x.right(i), y(count / otherTotal)]
		]);

		svg.append("path")
			.attr("class", "outline")
			.attr(
				"d",
				d3.line()([
					[x.left(0), y(0)],
					...steps,
					[x.right(counts.length - 1), y(0)]
				])
			);
	}
	for (const [name, value] of plot.marks || []) {
		if (Number.isNaN(value) || value < bars.lowest || value > bars.highest) continue;
		svg.append("line")
			.attr("class", "mark")
			.attr("x1", x(value))
			.attr("x2", x(value))
			.attr("y1", top)
			.attr("y2", y(0));
		svg.append("text")
			.attr("class", "mark")
			.attr("x", x(value))
			.attr("dx", x(value) > width - 30 ? -3 : 3)
			.attr("text-anchor", x(value) > width - 30 ? "end" : "start")
			.attr("y", top + 9)
			.text(name);
	}
	drawAxisX(
		svg,
		x,
		roundNumbers(bars, unit, Math.max(3, Math.floor((width - left) / 62))),
		unit,
		y(0)
	);
	readable(svg.node(), {
		n: counts.length,
		at: (px) => (px < left ? -1 : counts.findIndex((_, i) => px < x.right(i))),
		place: (i) => [
			(x.left(i) + x.right(i)) / 2,
			y(Math.max(counts[i] / total, plot.other ? plot.other[i] / otherTotal : 0))
		],
		mark: (i) => groups.classed("current", (_, at) => at === i),
		lines: (i) => [barName(bars, i, unit), ...barLines(plot, i, total, otherTotal)]
	});
}

/* Returns what the readout shows for bar @i, below the bar's name. */
function barLines(plot, i, total, otherTotal) {
	const {counts, other, names} = plot;
	const hits = (all, whole) => `${grouped(all[i])} (${percent(all[i], whole)})`;

	if (other) {
		return [
			[names[0], hits(counts, total)],
			[names[1], hits(other, otherTotal)]
		];
	}
	return [
		["hits", grouped(counts[i])],
		["of these", percent(counts[i], total)],
		["up to here", percent(d3.sum(counts.slice(0, i + 1)), total)]
	];
}

function histogramTable(bars, counts, unit) {
	const total = countOf(counts.map((n) => [0, 0, n]));

	return asTable(["from ... to", "hits", "share"], () =>
		counts
			.map((count, i) => [
				barName(bars, i, unit),
				grouped(count),
				percent(count, total)
			])
			.filter((row) => row[1] !== "0")
	);
}

/* ---- the histograms of all hits and of the keys with the highest costs ----------------------- */

/*
 * Returns the cost of a row: its sum if the metric adds up times or amounts, else its number of
 * hits.
 */
function costOf(metric, row) {
	return metric.type === "elapsed" || metric.type === "sum" || metric.type === "concurrency"
		? row.sum
		: row.count;
}

function costName(metric) {
	return metric.type === "elapsed" || metric.type === "concurrency"
		? "time"
		: metric.type === "sum"
			? "sum"
			: "hits";
}

function byCost(metric) {
	return [...metric.rows].sort((a, b) => costOf(metric, b) - costOf(metric, a));
}

function totalCost(metric) {
	return allRows(metric).reduce((sum, row) => sum + Math.max(0, costOf(metric, row)), 0);
}

function keyText(row) {
	const key = Array.isArray(row.key) ? row.key.join(", ") : row.key;

	return key === undefined ? "all" : key === "" ? '""' : String(key);
}

function wholeHistogram(metric) {
	const buckets = addBuckets(allRows(metric));
	const bars = barsFor(buckets),
		counts = barCounts(bars, buckets);
	const p50 = percentileOf(buckets, 0.5),
		p99 = percentileOf(buckets, 0.99);
	const words =
		`${metric.metric}: histogram of ${grouped(countOf(buckets))} hits, half of them ` +
		`below ${inWords(p50, metric.unit)}, 99 % below ${inWords(p99, metric.unit)}; ` +
		"arrow keys read the bars";
	const drawn = figure(
		"All hits by " + (metric.type === "elapsed" ? "time taken" : "value"),
		words,
		200,
		(svg, width) =>
			drawHistogram(svg, width, 200, {
				bars,
				counts,
				unit: metric.unit,
				most: (d3.max(counts) / d3.sum(counts)) * 1.08,
				marks: [
					["p50", p50],
					["p99", p99]
				]
			})
	);

	drawn.append(histogramTable(bars, counts, metric.unit));
	return drawn;
}

function card(metric, row, whole, bars, most) {
	const cost = costOf(metric, row),
		counts = barCounts(bars, row.buckets);
	const unit = costName(metric) === "hits" ? "" : metric.unit;
	const words =
		`${keyText(row)}: histogram of ${grouped(row.count)} hits; arrow keys read the ` +
		"bars";
	const facts = make("div", {class: "facts"});
	const drawn = figure(null, words, 120, (svg, width) =>
		drawHistogram(svg, width, 120, {
			bars,
			counts,
			unit: metric.unit,
			most,
			left: 36,
			marks: [["p50", percentileOf(row.buckets, 0.5)]]
		})
	);

	const fact = (value, name) =>
		facts.append(make("span", null, make("b", null, value), " " + name));

	const part = Math.min(100, (100 * Math.max(0, cost)) / (whole || 1));

	fact(percent(cost, whole), "of the " + costName(metric));
	if (unit) fact(inWords(cost, unit), "in all");
	fact(grouped(row.count), row.count === 1 ? "hit" : "hits");
	for (const name of ["p50", "p99", "max"]) {
		if (typeof row[name] === "number") fact(inWords(row[name], metric.unit), name);
	}
	drawn.append(histogramTable(bars, counts, metric.unit));
	return make(
		"article",
		{class: "card"},
		make("h4", {title: keyText(row)}, keyText(row)),
		make("div", {class: "part"}, make("i", {style: `width:${part}%`})),
		facts,
		drawn
	);
}

/*
 * Creates small histograms of the keys, those with the highest cost first, and a button for more.
 */
function keyHistograms(metric) {
	const rows = byCost(metric).filter((row) => row.buckets && row.buckets.length);
	const whole = totalCost(metric),
		bars = barsFor(addBuckets(rows));
	const most =
		1.08 *
		Math.max(
			...rows.slice(0, 100).map((row) => {
				const counts = barCounts(bars, row.buckets);

				return d3.max(counts) / d3.sum(counts);
			})
		);
	const grid = make("div", {class: "cards"});
	const more = make("button", {type: "button", class: "more"});
	let shown = 0;

	function add(n) {
		for (const row of rows.slice(shown, shown + n))
			grid.append(card(metric, row, whole, bars, most));
		shown = Math.min(rows.length, shown + n);
		more.hidden = shown >= rows.length;
		more.textContent =
			`${Math.min(CARDS_MORE, rows.length - shown)} more of ` +
			`${rows.length - shown}`;
	}
	more.addEventListener("click", () => add(CARDS_MORE));
	add(CARDS_FIRST);
	return make(
		"div",
		null,
		make("h3", null, `By ${metric.by || "key"}, most ` + `${costName(metric)} first`),
		make("p", {class: "note"}, "One scale for all: shares are of a key's own hits."),
		grid,
		more
	);
}
