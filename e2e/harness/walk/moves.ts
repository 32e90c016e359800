import type { Page } from "@playwright/test";
import { answerFor } from "./answers";
import { asideFor } from "./asides";
import { journeyFor } from "./journeys";
import type { Lane } from "./lane";
import type { Step } from "./steps";
import type { Turn, World } from "./world";

/** Where the browser went first, and the page of the bank's that it came to. */
export type Where = { readonly from: URL; readonly uid: string | undefined; readonly now: number };

/** What a PSU does in a tab, and where the rules say it leads; undefined: nowhere new. */
export type Leading = {
  readonly act: (page: Page) => Promise<unknown>;
  readonly rule: (world: World, where: Where) => Turn | undefined;
};
/** What happens elsewhere meanwhile. */
export type Aside = {
  readonly aside: () => Promise<void>;
  readonly after: (world: World, now: number) => World;
};
export type Move = Leading | Aside;

/** Undefined when there is nothing of the kind to do. */
export function moveFor(lane: Lane, step: Step): Move | undefined {
  return asideFor(lane, step) ?? journeyFor(lane, step) ?? answerFor(lane, step);
}
