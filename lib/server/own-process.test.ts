import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { OWN_PROCESS } from "./own-process";

/** What Next calls before it serves anything, in a process of its own. */
async function registered(before = "", env: Readonly<Record<string, string>> = {}) {
  const program = `${before}; const { register } = await import("./instrumentation.ts"); register();`;
  const given = ["--import", "tsx", "--input-type=module", "--eval", program];
  const child = spawn(process.execPath, given, { env: { ...process.env, ...env } });
  const said: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
  const [code] = await once(child, "close");
  return { code, said: Buffer.concat(said).toString() };
}

const refused = {
  code: 1,
  said: "Drawbridge serves nothing without its own listeners: start it with npm start\n",
};

it("C1: Next serves nothing in a process that our own start has not marked", async () => {
  expect(await registered()).toEqual(refused);
});

it("C1: a mark that was inherited or stands among the settings is none", async () => {
  expect(await registered("", { [OWN_PROCESS]: String(process.pid) })).toEqual(refused);
});

it("C1: Next serves in the process that our own start has marked", async () => {
  const mark = `(await import("./lib/server/own-process.ts")).markOwnProcess()`;
  expect(await registered(mark)).toEqual({ code: 0, said: "" });
});
