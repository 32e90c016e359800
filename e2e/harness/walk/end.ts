import type { Wish } from "./asking";
import { currentAsking, currentRequest, type Lane, WalkError } from "./lane";
import { type Request, requestAt, settled } from "./world";

/** How long a code is good, and how much of it is nobody's to say. Milliseconds. */
const CODE = 60_000;
const MARGIN = 8_000;

/** What the TPP sees of a request at the end of its walk: all of it has to agree. */
export async function judgeRequest(lane: Lane): Promise<void> {
  const index = currentRequest(lane);
  const asking = currentAsking(lane);
  const now = lane.clock.now().getTime();
  lane.world = settled(lane.world, index, now);
  const request = requestAt(lane.world, index);
  const sca = await asking.scaStatus();
  if (sca !== request.status) throw new WalkError(`scaStatus ${sca} instead of ${request.status}`);
  const status = await asking.resourceStatus();
  const fitting = statusesOf(asking.wish, request);
  if (!fitting.includes(status)) {
    throw new WalkError(`the ${asking.wish} is ${status} instead of ${fitting.join(" or ")}`);
  }
  for (const { request: of, url, at } of lane.codes) {
    const age = now - at;
    if (of !== index || Math.abs(age - CODE) < MARGIN) continue;
    const good = request.status === "finalised" && request.ended === undefined && age < CODE;
    const worth = await asking.redeem(new URL(url)).then(
      () => true,
      () => false,
    );
    if (worth !== good) throw new WalkError(`a code is worth ${worth ? "a token" : "nothing"}`);
  }
}

const authorised: Readonly<Record<NonNullable<Request["ended"]>, string>> = {
  revoked: "revokedByPsu",
  withdrawn: "terminatedByTpp",
  replaced: "expired",
};
/** From accepted to booked. */
const PAID = ["ACTC", "ACCP", "ACSP", "ACSC", "ACCC"];

function statusesOf(wish: Wish, { status, why, ended }: Request): readonly string[] {
  if (wish === "payment") {
    if (status === "finalised") return PAID;
    return status === "failed" ? ["RJCT"] : ["RCVD"];
  }
  if (status === "failed") return [why === "withdrawn-by-tpp" ? "terminatedByTpp" : "rejected"];
  if (status !== "finalised") return ["received"];
  const valid = ended === undefined ? "valid" : authorised[ended];
  // Ten minutes may have passed.
  return wish === "one-off" ? [valid, "expired"] : [valid];
}
