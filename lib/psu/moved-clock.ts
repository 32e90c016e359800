import { house } from "@/lib/composition";
import type { MovableClock } from "@/lib/domain/movable-clock";
import type { Ports } from "@/lib/domain/ports";
import { dispensable } from "@/lib/outage";
import { logFault } from "./fault";
import type { Language } from "./texts/language";
import { textsFor } from "./texts/texts-for";

/** What a page says while the sandbox's clock is moved. It says nothing else, fault or not. */
export async function clockNotice(language: Language): Promise<string | undefined> {
  try {
    return await dispensable(() => noticeOf(house(), language));
  } catch (error) {
    logFault("GET clock", error);
    return undefined;
  }
}

type ClockHouse = Pick<Ports, "profile"> & { readonly sandboxClock: MovableClock | undefined };

/** Undefined when the clock is not moved, and outside the sandbox, where it cannot be. */
export async function noticeOf(
  { sandboxClock, profile }: ClockHouse,
  language: Language,
): Promise<string | undefined> {
  const reading = await sandboxClock?.read();
  if (reading?.offsetMilliseconds === undefined) return undefined;
  return textsFor(language).frame.clockMoved(reading.now, profile.timeZone);
}
