import { headers } from "next/headers";
import { house } from "@/lib/composition";
import { type Departure, readDeparture } from "./departure";
import { logFault } from "./fault";
import { frameOf } from "./frame";
import type { PsuHouse } from "./house";
import { pageLanguage } from "./page-language";
import type { Language } from "./texts/language";
import { type View, viewOf } from "./view";
import { openVisit, type Visit } from "./visit";

/** Who opens the page of an authorisation. A fault has a page too: Next's own needs JavaScript. */
export type Arrival = Visit | "unknown" | "fault";

export async function arrive(uid: string): Promise<Arrival> {
  const asked = await headers();
  try {
    const ours: PsuHouse = house();
    return (await openVisit(ours, uid, asked)) ?? "unknown";
  } catch (error) {
    logFault("GET authorise", error);
    return "fault";
  }
}

export async function viewFor(arrival: Arrival, question: unknown): Promise<View> {
  if (typeof arrival === "string") return { page: arrival };
  try {
    return await viewOf(arrival, { again: question === "accounts" ? question : undefined });
  } catch (error) {
    logFault("GET authorise", error);
    return { page: "fault", frame: await frameOf(arrival).catch(() => undefined) };
  }
}

/** Of whoever has no open request, the language is what the browser says. */
export function languageOf(arrival: Arrival): Promise<Language> | Language {
  return typeof arrival === "string" ? pageLanguage() : arrival.language;
}

/** Where the browser is led on to; undefined when that was not this bank's word, or is out of date. */
export function departureOf(to: unknown): Promise<Departure | undefined> {
  return readDeparture(house(), to);
}
