import { headers } from "next/headers";
import { house } from "@/lib/composition";
import { type Departure, readDeparture } from "./departure";
import { logFault } from "./fault";
import { frameOf } from "./frame";
import type { PsuHouse } from "./house";
import { type View, viewOf } from "./view";
import { openVisit, type Visit } from "./visit";

/** Who opens the page of an authorisation. A fault has a page too: Next's own needs JavaScript. */
export type Arrival = Visit | "unknown" | "fault";

export async function arrive(uid: string): Promise<Arrival> {
  const cookieHeader = (await headers()).get("cookie");
  try {
    const ours: PsuHouse = house();
    return (await openVisit(ours, uid, cookieHeader)) ?? "unknown";
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

/** Where the browser is led on to; undefined when that was not this bank's word, or is out of date. */
export function departureOf(to: unknown): Promise<Departure | undefined> {
  return readDeparture(house(), to);
}
