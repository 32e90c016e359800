import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type RedirectListener, redirectListener } from "./redirect-listener";

const listeners: RedirectListener[] = [];
const listen = async () => {
  const listener = await redirectListener();
  listeners.push(listener);
  return listener;
};
afterEach(() => Promise.all(listeners.splice(0).map((listener) => listener.close())));

describe("the redirect listener", () => {
  it("hands over the address the browser came back with and says that the window can be closed", async () => {
    const listener = await listen();
    const next = listener.next(5_000);
    const page = await fetch(`${listener.origin}/callback?code=c&state=s`);
    expect((await next).href).toBe(`${listener.origin}/callback?code=c&state=s`);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(await page.text()).toContain("You can close this window");
  });

  it("keeps a redirect nobody waited for, and hands over each once and in order", async () => {
    const listener = await listen();
    await fetch(`${listener.origin}/nok?error=access_denied`);
    await fetch(`${listener.origin}/callback?code=2`);
    expect((await listener.next(100)).pathname).toBe("/nok");
    expect((await listener.next(100)).pathname).toBe("/callback");
    await expect(listener.next(1)).rejects.toThrow("did not come back");
  });

  it("takes nothing for a redirect that has neither code nor error", async () => {
    const listener = await listen();
    expect((await fetch(`${listener.origin}/favicon.ico`)).status).toBe(404);
    await expect(listener.next(1)).rejects.toThrow("did not come back");
  });

  it("is closed only when the browser has its page, and is not kept by a connection without request", async () => {
    const listener = await redirectListener();
    const idle = connect(Number(new URL(listener.origin).port), "localhost");
    await once(idle, "connect");
    const page = fetch(`${listener.origin}/callback?code=c`);
    await listener.next(5_000);
    await listener.close();
    expect(await (await page).text()).toContain("You can close this window");
    idle.destroy();
  });

  it("loses no redirect to a waiter that has given up", async () => {
    const listener = await listen();
    await expect(listener.next(1)).rejects.toThrow();
    await fetch(`${listener.origin}/callback?code=c`);
    expect((await listener.next(100)).searchParams.get("code")).toBe("c");
  });
});
