import { availableParallelism, cpus } from "node:os";
import { compare } from "./compare";
import { grown } from "./grown";
import { memory } from "./memory";
import { type Options, optionsOf } from "./options";
import { profile } from "./profile/profile";
import { type Findings, inWords } from "./report";
import { writeResults } from "./results";
import { start } from "./start";

/** `npm run bench`: what it measures, and how to read it, is in docs/performance.md. */
const args = process.argv.slice(2);
const options = optionsOf(args);
const say = (line: string) => console.log(line);

function findings({ mode }: Options): Promise<Findings> {
  switch (mode) {
    case "compare":
      return compare(options, say).then((table) => ({ mode, table }));
    case "memory":
      return memory(options, say).then((steps) => ({ mode, steps }));
    case "grown":
      return grown(options, say).then((costs) => ({ mode, costs }));
    case "start":
      return start(say).then((starts) => ({ mode, starts }));
    case "profile":
      return profile(options, say).then((profiles) => ({ mode, profiles }));
  }
}

say("Starting a bank with data of its own; a build comes first when there is none.");
const found = await findings(options);
const machine = {
  command: ["npm run bench", ...(args.length === 0 ? [] : ["--", ...args])].join(" "),
  cores: availableParallelism(),
  processor: cpus()[0]?.model.trim() ?? "unknown processor",
  node: process.version,
  date: new Date().toISOString().slice(0, 10),
};
const { command, cores, processor, node, date } = machine;
say(`\n${inWords(found)}\n\n\`${command}\`, ${cores} cores (${processor}), Node ${node}, ${date}`);
await writeResults(import.meta.dirname, { machine, options }, found);
