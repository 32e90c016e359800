import type fc from "fast-check";
import type { Ports } from "@/lib/domain/ports";
import type { InMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import type { OidcModels } from "../oidc-models";
import type { Life, Model } from "./model";

/** The domain's use cases over the real stores; only the bank behind them is in memory. */
export type Real = {
  readonly ports: Ports;
  readonly bank: InMemoryBank;
  readonly models: OidcModels;
  readonly sweep: (now: Date) => Promise<unknown>;
  /** Sets the PSUs of one run apart from those of all others. */
  readonly run: string;
  /** After each command, with what it was. */
  readonly check: (model: Model) => Promise<void>;
};

export type Command = fc.AsyncCommand<Model, Real>;

export function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      await run(model, real);
      await real.check(model);
    },
    toString: () => name,
  };
}

/** A command on one of the consents there are. */
export function onConsent(
  name: string,
  nth: number,
  act: (life: Life, model: Model, real: Real) => Promise<void>,
): Command {
  const whole = command(`${name} #${nth}`, async (model, real) => {
    const life = model.lives[nth % model.lives.length];
    if (life !== undefined) await act(life, model, real);
  });
  return { ...whole, check: ({ lives }) => lives.length > 0 };
}
