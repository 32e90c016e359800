import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { DayChart } from "./day-chart";

type Days = Parameters<typeof DayChart>[0]["days"];

const quarter = { from: "2026-10-01", to: "2026-12-31" };
const chart = (days: Days, span?: typeof quarter) => {
  const props = { label: "Downtime", unit: "min", digits: 1, days };
  return renderToStaticMarkup(
    createElement(DayChart, span === undefined ? props : { ...props, span }),
  );
};
const bars = (markup: string) =>
  [...markup.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)">/g)].map(
    ([, ...numbers]) => numbers.map(Number),
  );

it("a bar stands at its day of the span, and a day without a value is a gap", () => {
  const days = [
    { day: "2026-10-01", value: 6 },
    { day: "2026-10-02", value: 0 },
    { day: "2026-10-26", value: 12 },
    { day: "2026-12-31", value: 12 },
  ];
  expect(bars(chart(days, quarter))).toEqual([
    [0, 60, 8, 60],
    [10, 118, 8, 2],
    [250, 0, 8, 120],
    [910, 0, 8, 120],
  ]);
  const [, , third] = bars(chart(days.slice(0, 3)));
  expect(third?.[0]).toBeCloseTo((920 / 26) * 25, 1);
});

it("a chart has a name, and its description says the days and the largest value of the scale", () => {
  const markup = chart([{ day: "2026-10-02", value: 0.25 }], quarter);
  const [, described] =
    /role="img" aria-label="Downtime" aria-describedby="([^"]+)"/.exec(markup) ?? [];
  expect(markup).toContain(`<span id="${described}"`);
  expect(markup).toContain("2026-10-01 – 2026-12-31, 0 – 0.3 min</span>");
  expect(markup).toContain("<title>2026-10-02: 0.3 min</title>");
});

it("a scale of small values is as high as the largest, and days of zero alone are lines", () => {
  const small = [0.001, 0.002].map((value, nth) => ({ day: `2026-10-0${nth + 1}`, value }));
  expect(bars(chart(small)).map(([, , , height]) => height)).toEqual([60, 120]);
  expect(bars(chart([{ day: "2026-10-01", value: 0 }]))).toEqual([[0, 118, 918, 2]]);
  expect(chart([])).toBe("");
});
