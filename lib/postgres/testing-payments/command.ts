import type fc from "fast-check";
import { type Books, booksOf } from "./books";
import { check } from "./check";
import type { Life, Model } from "./model";
import type { World } from "./world";

export type Command = fc.AsyncCommand<Model, World> & {
  readonly act: Act;
};

/** Does it, and may yield the books when it has had to look at them. */
type Act = (model: Model, world: World) => Promise<Books | undefined>;

/** After each command everything is looked at. */
export function command(
  name: string,
  act: Act,
  makesSense: (model: Model) => boolean = () => true,
): Command {
  return {
    act,
    check: makesSense,
    run: async (model, world) => {
      const books = await act(model, world);
      check(model, books ?? (await booksOf(world)));
    },
    toString: () => name,
  };
}

/** A command on one of the payments there are. */
export function onPayment(
  name: string,
  nth: number,
  onLife: (life: Life, ...args: Parameters<Act>) => ReturnType<Act>,
): Command {
  const act: Act = async (model, world) => {
    const life = model.lives[nth % model.lives.length];
    return life && onLife(life, model, world);
  };
  return command(`${name} #${nth}`, act, ({ lives }) => lives.length > 0);
}

/** Several steps as one command: looked at once, at its end. */
export function inTurn(name: string, commands: (model: Model) => readonly Command[]): Command {
  return command(name, async (model, world) => {
    let books: Books | undefined;
    for (const step of commands(model)) {
      if (step.check(model)) books = await step.act(model, world);
    }
    return books;
  });
}
