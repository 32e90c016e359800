import { describe, expect, it } from "vitest";
import { faults, median, table } from "./table";

const login = {
  page: "sign in",
  html: 3_210,
  styles: 8_000,
  scripts: 4_449,
  fonts: 40_000,
  images: 330,
  requests: 7,
  serverTimes: [9, 1, 2, 4],
  elsewhere: [],
};

describe("the weight of the pages", () => {
  it("is a table of kilobytes and of medians", () => {
    expect(table([login])).toBe(
      [
        "| page    | HTML, KB | CSS, KB | JS, KB | fonts, KB | images, KB | requests | server, ms |",
        "| ------- | -------: | ------: | -----: | --------: | ---------: | -------: | ---------: |",
        "| sign in |      3.2 |     8.0 |    4.4 |      40.0 |        0.3 |        7 |        3.0 |",
      ].join("\n"),
    );
  });

  it("the median is the middle, or lies between the middle two", () => {
    expect([median([5]), median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([5, 2, 2.5]);
    expect(() => median([])).toThrow();
  });

  it("less than 100 KB of JavaScript and nothing from elsewhere is well", () => {
    expect(faults([login, { ...login, scripts: 99_999 }])).toEqual([]);
  });

  it("100 KB of JavaScript are too many", () => {
    expect(faults([{ ...login, scripts: 100_000 }])).toEqual(["sign in: 100.0 KB of JavaScript"]);
  });

  it("anything from elsewhere is too much", () => {
    const elsewhere = ["https://fonts.example/a.woff2"];
    expect(faults([login, { ...login, elsewhere }])).toEqual([
      "sign in: something comes from elsewhere: https://fonts.example/a.woff2",
    ]);
  });
});
