import { describe, expect, it } from "vitest";
import { newShutdown } from "./shutdown";

describe("a shutdown", () => {
  it("ends what was begun last first, one after the other", async () => {
    const shutdown = newShutdown();
    const ended: string[] = [];
    for (const name of ["database", "application", "listener"]) {
      shutdown.onStop({
        finish: async () => {
          await new Promise(setImmediate);
          ended.push(name);
        },
      });
    }
    await Promise.all([shutdown.stop(), shutdown.stop()]);
    expect(ended).toEqual(["listener", "application", "database"]);
  });

  it("stops the database even when another part fails to stop", async () => {
    const shutdown = newShutdown();
    let stopped = false;
    shutdown.onStop({
      finish: async () => {
        stopped = true;
      },
    });
    shutdown.onStop({ finish: () => Promise.reject(new Error("stuck")) });
    await shutdown.stop();
    expect(stopped).toBe(true);
  });

  it("tells whoever still starts, and hurries whoever can be", async () => {
    const shutdown = newShutdown();
    let release = () => {};
    shutdown.onStop({
      finish: () =>
        new Promise((resolve) => {
          release = resolve;
        }),
      hurry: () => release(),
    });
    const stopped = shutdown.stop();
    expect(shutdown.signal.aborted).toBe(true);
    shutdown.hurry();
    await stopped;
  });
});
