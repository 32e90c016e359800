/**
 * Who is at the keyboard of the bank's own channel, and what they have proved. `ended`: signed in once,
 * then run out or closed. `password`: the first of two elements, which opens nothing.
 */
export type OwnState = "nobody" | "ended" | "password" | "signed-in";

export const signInPages = ["sign-in", "sign-in-again", "code"] as const;
export type SignInPage = (typeof signInPages)[number];

/** `onward` is the page that was asked for, `to-sign-in` the way there. */
export type OwnStep = SignInPage | "onward" | "to-sign-in" | "asked-for";

type Row = { readonly signIn: OwnStep; readonly inside: OwnStep };

const table: Readonly<Record<OwnState, Row>> = {
  nobody: { signIn: "sign-in", inside: "to-sign-in" },
  ended: { signIn: "sign-in-again", inside: "to-sign-in" },
  password: { signIn: "code", inside: "to-sign-in" },
  "signed-in": { signIn: "onward", inside: "asked-for" },
};

/** What fits the state, at the sign-in and at every page inside. */
export function ownStep(state: OwnState, at: keyof Row): OwnStep {
  return table[state][at];
}
