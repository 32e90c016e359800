import { expect, it } from "vitest";
import { type OwnState, ownStep } from "./pages";

it.each<readonly [OwnState, string, string]>([
  ["nobody", "sign-in", "to-sign-in"],
  ["ended", "sign-in-again", "to-sign-in"],
  ["password", "code", "to-sign-in"],
  ["signed-in", "onward", "asked-for"],
])("%s: at the sign-in %s, inside %s", (state, signIn, inside) => {
  expect([ownStep(state, "signIn"), ownStep(state, "inside")]).toEqual([signIn, inside]);
});
