import { log } from "@/lib/log";
import type { EmbeddedDatabase } from "./embedded-database";
import { repeat } from "./repeat";
import type { Step } from "./shutdown";

const EVERY_SECONDS = 0.25;

/** Starts our own PostgreSQL again when it has died under the server; nobody else would. */
export function watchDatabase({ revive }: Pick<EmbeddedDatabase, "revive">): Step {
  const turn = async () => {
    if (await revive()) log.warn("our own PostgreSQL had ended, and was started again");
    return false;
  };
  return { finish: repeat({ everySeconds: EVERY_SECONDS, turn }).stop };
}
