import { describe, expect, it } from "vitest";
import { readSettings } from "@/lib/config";
import { readyScreen } from "./ready-screen";

describe("the screen when the server is ready", () => {
  const screen = readyScreen(readSettings({}), "/srv/drawbridge/.data");

  it.each([
    "https://localhost:8443",
    "http://localhost:3000",
    "ana-sandbox",
    "mihai-sandbox",
    "elena-sandbox",
    "dan-sandbox",
    "npm run tpp -- accounts",
    "/srv/drawbridge/.data",
    "Ctrl-C",
  ])("says %s", (text) => {
    expect(screen).toContain(text);
  });

  it("fits on one", () => {
    const lines = screen.split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("has no demo passwords outside the sandbox", () => {
    const real = { ...readSettings({}), SANDBOX: false };
    expect(readyScreen(real, ".data")).not.toContain("sandbox");
  });
});
