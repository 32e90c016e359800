import fc from "fast-check";
import { type Wish, wishes } from "./asking";

export type Act =
  | "login"
  | "login-wrong"
  | "login-empty"
  | "login-other"
  | "accounts-none"
  | "accounts-one"
  | "accounts-all"
  | "change-accounts"
  | "code"
  | "code-wrong"
  | "code-old"
  | "code-none"
  | "code-malformed"
  | "new-code"
  | "passkey"
  | "cancel"
  | "stay"
  | "back"
  | "reload"
  | "link"
  | "same-page"
  | "old-page"
  | "language"
  | "sign-out-cookie"
  | "all-cookies"
  | "withdraw"
  | "revoke"
  | Begin;
export type Begin = `begin ${Wish}`;

/** `clicks`: two at once on the button; `posts`: the same form twice in parallel. */
export type Twice = "clicks" | "posts";
export type Step = { readonly act: Act; readonly tab: 0 | 1; readonly twice?: Twice };

/** How often each is drawn; what a page does not offer is passed over, and costs nothing. */
const weights: Readonly<Record<Exclude<Act, Begin>, number>> = {
  login: 12,
  "login-wrong": 3,
  "login-empty": 1,
  "login-other": 2,
  "accounts-none": 1,
  "accounts-one": 4,
  "accounts-all": 5,
  "change-accounts": 2,
  code: 7,
  "code-wrong": 3,
  "code-old": 1,
  "code-none": 1,
  "code-malformed": 1,
  "new-code": 2,
  passkey: 3,
  cancel: 3,
  stay: 1,
  back: 3,
  reload: 3,
  link: 2,
  "same-page": 3,
  "old-page": 1,
  language: 2,
  "sign-out-cookie": 1,
  "all-cookies": 1,
  withdraw: 1,
  revoke: 2,
};

const doubled: ReadonlySet<Act> = new Set<Act>([
  "login",
  "login-wrong",
  "accounts-all",
  "code",
  "code-wrong",
  "new-code",
  "cancel",
]);

const tab = fc.oneof({ weight: 3, arbitrary: fc.constant(0 as const) }, fc.constant(1 as const));
const once = fc.constant(undefined);
const twice = fc.oneof(
  { weight: 10, arbitrary: once },
  { weight: 1, arbitrary: fc.constantFrom<Twice>("clicks", "posts") },
);
const begin = fc.constantFrom(...wishes).map((wish): Begin => `begin ${wish}`);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 14, arbitrary: begin },
  ...Object.entries(weights).map(([name, weight]) => ({
    weight,
    arbitrary: fc.constant(name as Act),
  })),
);

const step: fc.Arbitrary<Step> = fc
  .record({ act, tab, twice })
  .map(({ twice: how, ...one }) =>
    how !== undefined && doubled.has(one.act) ? { ...one, twice: how } : one,
  );

/** Minutes that pass at the bank for everybody: less than a session, more, more than a window, and than any. */
const pause = fc.oneof(
  { weight: 4, arbitrary: fc.constant(1) },
  { weight: 3, arbitrary: fc.constant(6) },
  { weight: 2, arbitrary: fc.constant(16) },
  { weight: 1, arbitrary: fc.constant(200) },
);

const LEG_STEPS = 50;
const leg = fc.array(step, { maxLength: LEG_STEPS, size: "max" });
const LEGS = 4;

/** One browser's walk: what it does between the pauses. */
export type Walk = { readonly begin: Wish; readonly legs: readonly (readonly Step[])[] };
/** Walks of several browsers at once, on one bank with one clock. */
export type Outing = { readonly pauses: readonly number[]; readonly walks: readonly Walk[] };

/** As long as anybody needs: nothing is drawn shorter at first. */
export function outings(browsers: number): fc.Arbitrary<Outing> {
  const walk = fc.record({
    begin: fc.constantFrom(...wishes),
    legs: fc.array(leg, { minLength: LEGS, maxLength: LEGS }),
  });
  const walks = fc.array(walk, { minLength: browsers, maxLength: browsers });
  const pauses = fc.array(pause, { minLength: LEGS - 1, maxLength: LEGS - 1 });
  return fc.noBias(fc.record({ pauses, walks }));
}
