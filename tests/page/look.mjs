// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks at the pages in this folder as people do: in both themes, on a wide screen and on a phone,
 * with the pointer and with the keyboard. PNG files of what was seen stay beside the pages. Usage:
 * look.mjs CHROMIUM
 */
import {chromium} from "playwright-core";
import {createServer} from "node:http";
import {readFileSync, statSync} from "node:fs";
import {pathToFileURL} from "node:url";

const PHONE = 390,
	DESK = 1280;
const SIZE_MAX = 1000000,
	PAINT_MAX = 1000; /* Bytes and milliseconds. */
let passed = 0,
	failed = 0;

function check(what, fine, found) {
	if (fine) passed++;
	else failed++;
	if (!fine)
		console.log(
			`FAILED ${what}${found === undefined ? "" : ": " + JSON.stringify(found)}`
		);
}

/* An exception counts as a failure, and the counts so far are still printed. */
process.on("uncaughtException", (error) => {
	console.log(`FAILED to go on: ${error.message}`);
	console.log(`${passed} passed, ${failed + 1} failed, 0 skipped`);
	process.exit(1);
});

const browser = await chromium.launch({
	executablePath: process.argv[2],
	args: ["--no-sandbox", "--disable-gpu"]
});

/* Opens a page. .wrong of the result has the errors in it, .asked what it wanted to load. */
async function open(name, theme, width, more = {}) {
	const context = await browser.newContext({
		colorScheme: theme,
		...more,
		viewport: {width, height: 900}
	});
	const page = await context.newPage();

	page.wrong = [];
	page.asked = [];
	page.on("console", (message) => {
		if (["error", "warning"].includes(message.type())) page.wrong.push(message.text());
	});
	page.on("pageerror", (error) => page.wrong.push(String(error)));
	page.on("dialog", (dialog) => {
		page.wrong.push("a dialog: " + dialog.message());
		dialog.dismiss();
	});
	page.on("request", (request) => page.asked.push(request.url()));
	await page.goto(pathToFileURL(name + ".html").href);
	await page
		.waitForSelector("html[data-started]", {timeout: 5000})
		.catch(() => page.wrong.push("the script has not started"));
	return page;
}

/* Scrolls through the page, since figures are drawn when they are near the screen. */
async function scrollThrough(page) {
	await page
		.addStyleTag({content: "section { content-visibility: visible !important }"})
		.catch(() => {});
	await page.evaluate(async () => {
		for (let y = 0; y < document.body.scrollHeight; y += 700) {
			scrollTo(0, y);
			await new Promise((done) => setTimeout(done, 40));
		}
		/* On a busy machine some figures take longer to draw. */
		for (const plot of document.querySelectorAll(".plot")) {
			for (let i = 0; i < 100 && !plot.querySelector("svg"); i++) {
				plot.scrollIntoView();
				await new Promise((done) => setTimeout(done, 40));
			}
		}
		scrollTo(0, 0);
		await new Promise((done) => setTimeout(done, 100));
	});
}

/*
 * Returns the texts that have too little contrast to their background (WCAG AA: 4.5, large text 3).
 */
function lowContrast() {
	const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
	const colour = (text) => {
		canvas.clearRect(0, 0, 1, 1);
		canvas.fillStyle = text;
		canvas.fillRect(0, 0, 1, 1);
		return [...canvas.getImageData(0, 0, 1, 1).data];
	};
	const over = (top, under) =>
		[0, 1, 2]
			.map((i) => (top[i] * top[3] + under[i] * (255 - top[3])) / 255)
			.concat(255);
	const light = (c) =>
		[0, 1, 2]
			.map((i) => {
				const v = c[i] / 255;

				return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
			})
			.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const backdrop = (element) => {
		const layers = [];

		for (let at = element; at; at = at.parentElement)
			layers.push(colour(getComputedStyle(at).backgroundColor));
		return layers
			.reverse()
			.reduce((under, top) => over(top, under), [255, 255, 255, 255]);
	};
	const low = [];
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);

	while (walker.nextNode()) {
		const element = walker.currentNode.parentElement,
			style = getComputedStyle(element);
		const box = element.getBoundingClientRect();

		if (
			!walker.currentNode.data.trim() ||
			!box.width ||
			element.closest(".unseen,script") ||
			element.closest(".icicle")
		)
			continue;
		const text = element.closest("svg") ? style.fill : style.color;
		const back = backdrop(element),
			front = over(colour(text), back);
		const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
		const ratio = (a + 0.05) / (b + 0.05),
			size = parseFloat(style.fontSize);

		if (ratio < (size >= 24 || (size >= 18.6 && style.fontWeight >= 600) ? 3 : 4.5))
			low.push(
				`${ratio.toFixed(2)} ${walker.currentNode.data.trim().slice(0, 40)}`
			);
	}
	return [...new Set(low)].slice(0, 8);
}

async function looks(name, theme, width) {
	const page = await open(name, theme, width);
	const what = `${name}, ${theme}, ${width} wide`;

	await scrollThrough(page);
	check(`${what}: nothing wrong`, !page.wrong.length, page.wrong);
	check(`${what}: loads nothing else`, page.asked.length === 1, page.asked.slice(0, 3));
	const sideways = await page.evaluate(
		() => document.documentElement.scrollWidth - document.documentElement.clientWidth
	);

	check(`${what}: no sideways scroll`, sideways <= 0, sideways);
	const empty = await page.evaluate(
		() =>
			[...document.querySelectorAll(".plot")].filter(
				(plot) =>
					plot.getClientRects().length && !plot.querySelector("svg *")
			).length
	);

	check(`${what}: all figures are drawn`, !empty, empty);
	const low = await page.evaluate(lowContrast);

	check(`${what}: contrast`, !low.length, low);
	const unnamed = await page.evaluate(
		() =>
			[...document.querySelectorAll("svg, input, [tabindex]")].filter(
				(e) => !e.getAttribute("aria-label") && !e.closest("[aria-label]")
			).length
	);

	check(`${what}: what can be reached has a name`, !unnamed, unnamed);
	await page.screenshot({
		path: `${name}-${theme}-${width}.png`,
		fullPage: true,
		timeout: 120000
	});
	await page.context().close();
}

const visibleRows = (section) => section.locator("table.rows tbody tr:visible").count();

async function reads() {
	const page = await open("small", "light", DESK);

	await scrollThrough(page);
	const section = page.locator("#metric0"),
		plot = section.locator("figure svg").first();
	const readout = page.locator(".readout");

	await plot.scrollIntoViewIfNeeded();
	await plot.hover({position: {x: 260, y: 120}});
	check(
		"hovering shows a bar's hits",
		/hits\d/.test(await readout.textContent()),
		await readout.textContent()
	);
	await page.mouse.move(2, 2);
	check("and leaving hides them", await readout.isHidden());
	await plot.focus();
	await page.keyboard.press("ArrowRight");
	await page.keyboard.press("ArrowRight");
	const spoken = await page.locator("[aria-live]").textContent();

	check("the arrow keys read bars, aloud", /hits [\d,]+/.test(spoken), spoken);
	await page.keyboard.press("Escape");
	check("Escape ends that", await readout.isHidden());
	for (const name of ["Time taken over time", "Over time, hits"]) {
		const other = section.locator("figure", {hasText: name}).locator("svg");

		await other.hover({position: {x: 200, y: 90}});
		check(`hovering reads "${name}"`, await readout.isVisible());
	}

	const count = await visibleRows(section);

	await section.locator("input").fill("CC1");
	check(
		"a filter leaves rows that match",
		(await visibleRows(section)) < count && (await visibleRows(section)) > 0,
		await visibleRows(section)
	);
	await section.locator("input").fill("");
	check("and gives them back", (await visibleRows(section)) === count);
	const mean = section.locator("th button", {hasText: "mean"});
	const values = async () =>
		await section
			.locator("table.rows tbody td:nth-child(4)")
			.evaluateAll((cells) => cells.map((cell) => Number(cell.dataset.v)));

	await mean.click();
	let now = await values();

	check(
		"a click on a head sorts",
		now.every((v, i) => !i || v <= now[i - 1]),
		now
	);
	await mean.click();
	now = await values();
	check(
		"a second one the other way",
		now.every((v, i) => !i || v >= now[i - 1]),
		now
	);
	check("and says so", (await section.locator("th[aria-sort=ascending]").count()) === 1);
	await section.locator("figure details.behind").first().locator("summary").click();
	check("a figure is a table, too", (await section.locator("details.behind td").count()) > 4);
	check("nothing wrong after all that", !page.wrong.length, page.wrong);
	await page.context().close();
}

async function showsStacksAndSource() {
	const page = await open("small", "light", DESK);

	await scrollThrough(page);
	const records = page.locator("#records");
	const boxes = records.locator(".icicle rect");
	const all = await boxes.count();

	check("stacks are an icicle", all > 8, all);
	await records.locator("input").first().fill("vfs_read");
	check("a function is found in it", (await records.locator(".icicle .marked").count()) >= 2);
	check("with its share", / %/.test(await records.locator(".filter").first().textContent()));
	const svg = records.locator("figure svg");

	await svg.focus();
	for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "Enter"])
		await page.keyboard.press(key);
	check(
		"a box becomes as wide as the figure",
		(await boxes.count()) < all,
		await boxes.count()
	);
	await records.getByText("show all").click();
	check("and all comes back", (await boxes.count()) === all);

	check(
		"stacks that are keys are an icicle, too, outside of the other keys",
		(await page.locator("#metric6 .icicle text").allTextContents()).join(" ") ===
			"all cat cab car ksys_read ksys_read ksys_read vfs_read vfs_read vfs_read",
		await page.locator("#metric6 .icicle text").allTextContents()
	);
	const source = page.locator("#metric5 .source");

	check("source has its lines", /now -= 100/.test(await source.textContent()));
	check(
		"with their hits",
		/\d+/.test(
			await source
				.locator("tr", {hasText: "now -= 100"})
				.locator(".hits")
				.textContent()
		)
	);
	const places = page.locator("header table.rows tbody tr").first();

	await page.getByText("4 joinpoints", {exact: true}).click();
	check(
		"joinpoints have their hits",
		/step\.c:5step blockstep\+0x0jump[\d,]+$/.test(await places.textContent()),
		await places.textContent()
	);
	check(
		"what was never hit is marked",
		(await page.locator("#once td.hits.none").count()) === 1
	);
	await page.context().close();
}

/* The page of a drill must have its calls as an icicle and as a table, instead of metrics. */
async function showsCalls() {
	const page = await open("drill", "light", DESK);
	const section = page.locator("#drill");

	await scrollThrough(page);
	check(
		"calls are an icicle, those of one function by one caller together",
		(await section.locator(".icicle text").allTextContents()).join(" ") ===
			"all open walk <b>&ext4_open dput",
		await section.locator(".icicle text").allTextContents()
	);
	check(
		"as wide as they take time",
		await section
			.locator(".icicle rect")
			.evaluateAll((boxes) => {
				const wide = boxes.map((box) => box.width.baseVal.value + 1);

				return Math.abs(wide[2] / wide[0] - 0.6) < 0.02 &&
					Math.abs(wide[3] / wide[0] - 0.2) < 0.02;
			})
	);
	const rows = section.locator("table.rows[data-what], .scroll[aria-label=calls] tbody tr");

	check("a row for each call", (await rows.count()) === 5, await rows.count());
	check(
		"with what it takes itself",
		/walk\s*step\.c:10\s*5 us\s*4 us\s*2 us\s*2 us\s*10\s*50 %/.test(
			(await rows.nth(1).locator("td").allTextContents()).join(" ")
		),
		await rows.nth(1).locator("td").allTextContents()
	);
	check(
		"what was not timed is there",
		/not timed: audit at open\+0x40: joins/.test(await section.textContent())
	);
	check("and no metrics", (await page.locator("section.metric").count()) === 0);
	check("nothing wrong with it", !page.wrong.length, page.wrong);
	await page.context().close();
}

async function isSafe() {
	for (const name of ["small", "compare", "large"]) {
		const page = await open(name, "light", DESK);

		await scrollThrough(page);
		const found = await page.evaluate(() => ({
			images: document.querySelectorAll("img").length,
			scripts: document.querySelectorAll("script").length,
			text: document.body.textContent.includes("</script><img src=x")
		}));

		check(
			`${name}: untrusted names are text`,
			!found.images && found.scripts === 2 && found.text,
			found
		);
		/* If other code got into the page, its policy must not let that code run. */
		await page.evaluate(() => {
			const script = document.createElement("script");

			script.textContent = "globalThis.ran = true";
			document.body.append(script);
			document.body.insertAdjacentHTML(
				"beforeend",
				"<img src='data:,' onerror='globalThis.ran = true'>"
			);
			return new Promise((done) => setTimeout(done, 100));
		});
		check(
			`${name}: other scripts do not run`,
			!(await page.evaluate(() => globalThis.ran))
		);
		await page.context().close();
	}
}

async function isQuick() {
	const page = await open("large", "light", DESK);
	const paint = await page.evaluate(
		() =>
			new Promise((done) => {
				new PerformanceObserver((list) =>
					done(list.getEntries().at(-1).startTime)
				).observe({type: "paint", buffered: true});
			})
	);
	const rows = await page.evaluate(
		() => document.querySelectorAll("table.rows tbody tr").length
	);
	const size = statSync("large.html").size;

	console.log(
		`1,000 rows, 10 metrics: ${size} bytes, first paint after ${Math.round(paint)} ms`
	);
	check("a large page has all rows", rows === 1000, rows);
	check("and is not too large", size <= SIZE_MAX, size);
	check("and is painted soon", paint <= PAINT_MAX, paint);
	await page.context().close();
}

async function themes() {
	const page = await open("small", "light", DESK);
	const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	const light = await back();

	await page.locator(".theme").click();
	await page.locator(".theme").click();
	check("a button changes the theme", (await back()) !== light, await back());
	await page.context().close();
}

async function withoutPlots() {
	const page = await open("plain", "light", DESK, {bypassCSP: true});

	check("without npm: nothing wrong", !page.wrong.length, page.wrong);
	check(
		"without npm: it says so",
		(await page.getByText("No plots: this weft").count()) === 1
	);
	check("without npm: tables sort", (await page.locator("th button").count()) > 5);
	await page.context().close();
	const still = await open("small", "light", DESK, {javaScriptEnabled: false});

	check(
		"without JavaScript: tables",
		(await still.locator("table.rows tbody tr").count()) > 20
	);
	await still.context().close();
}

/* A page as `weft serve` sends it. The server here fails once, in the middle. */
async function renewsItself() {
	let asked = 0,
		broken = false;
	const server = createServer((request, answer) => {
		const renewal = request.url === "/secret/aspect/reads/now";

		asked += renewal;
		answer.writeHead(broken ? 500 : 200, {"Content-Type": "text/html; charset=utf-8"});
		answer.end(broken ? "gone" : readFileSync(renewal ? "content.html" : "live.html"));
	});

	await new Promise((done) => server.listen(0, "127.0.0.1", done));
	const context = await browser.newContext({viewport: {width: DESK, height: 900}});
	const page = await context.newPage();
	const wrong = [];
	const hits = () => page.locator(".tiles dd").first().textContent();

	page.on("console", (message) => {
		if (["error", "warning"].includes(message.type()) && !broken)
			wrong.push(message.text());
	});
	page.on("pageerror", (error) => wrong.push(String(error)));
	await page.goto(`http://127.0.0.1:${server.address().port}/secret/aspect/reads`);
	await page.waitForSelector("html[data-started]");
	const first = await hits(),
		table = page.locator("section.metric table.rows").first();

	await page.locator("header details summary").first().click();
	await table.locator("th button").first().click();
	await page.locator("section.metric input[type=search]").first().fill("cc1");
	const order = () => table.locator("tbody tr td:first-child").allTextContents();
	const sorted = await order();

	await new Promise((done) => setTimeout(done, 2600));
	check("live: nothing is renewed under who writes", (await hits()) === first);
	await page.locator("h1").click();
	for (let i = 0; i < 100 && (await hits()) === first; i++)
		await new Promise((done) => setTimeout(done, 100));
	check("live: it is renewed", (await hits()) !== first);
	check("live: once for each part", (await page.locator("main").count()) === 1);
	check("live: one list of contents", (await page.locator("nav").count()) === 1);
	check("live: one button each", (await page.locator("header button").count()) === 2);
	check(
		"live: what is open stays open",
		await page
			.locator("header details")
			.first()
			.evaluate((details) => details.open)
	);
	check(
		"live: what is sorted stays sorted",
		String(await order()) === String(sorted),
		await order()
	);
	check(
		"live: what is filtered stays filtered",
		(await page.locator("section.metric input[type=search]").first().inputValue()) ===
			"cc1"
	);
	check("live: figures are drawn again", (await page.locator(".plot svg").count()) > 0);
	await page.getByRole("button", {name: "pause"}).click();
	const paused = asked;

	await new Promise((done) => setTimeout(done, 4500));
	check("live: a button pauses it", asked - paused <= 1, asked - paused);
	check("live: nothing wrong", !wrong.length, wrong);
	broken = true;
	await page.getByRole("button", {name: "go on"}).click();
	const failing = page.getByText("not live: gone"),
		going = page.locator("header .live", {hasText: /^live$/});

	await failing.waitFor({timeout: 8000}).catch(() => {});
	check("live: it says that the server fails", await failing.count());
	broken = false;
	await going.waitFor({timeout: 8000}).catch(() => {});
	check("live: and goes on", await going.count());
	await context.close();
	server.close();
}

for (const name of ["small", "compare"]) {
	for (const theme of ["light", "dark"]) {
		for (const width of [DESK, PHONE]) await looks(name, theme, width);
	}
}
await looks("totals", "light", DESK);
await looks("large", "dark", DESK);
await reads();
await showsStacksAndSource();
await showsCalls();
await isSafe();
await isQuick();
await themes();
await withoutPlots();
await renewsItself();
await browser.close();
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
