import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "../listeners";
import { runUntilStopped } from "../processes";

// A process that says who it is, or one that never gets that far.
const { TEST_PORT, TEST_DEFECT } = process.env;

await runUntilStopped(async (shutdown) => {
  if (TEST_DEFECT === "dies") process.exit(3);
  let slow = 0;
  const listener = await listen({
    setting: "XS2A_PORT",
    port: Number(TEST_PORT),
    loopbackOnly: true,
    keepAlive: false,
    broken: () => "",
    handle: async ({ url }, response) => {
      if (url === "/slow") {
        slow += 1;
        await sleep(1_000);
      }
      response.end(JSON.stringify({ pid: process.pid, slow }));
    },
  });
  shutdown.onStop({ finish: () => listener.close(5_000), hurry: () => listener.cut() });
  process.send?.("ready");
});
