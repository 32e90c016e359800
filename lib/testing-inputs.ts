/** Of so many random inputs a fifth in `npm test`, and all where RANDOM_INPUTS=all, as in `npm run test:campaigns`. */
export const inputs = (all: number): number =>
  process.env["RANDOM_INPUTS"] === "all" ? all : Math.ceil(all / 5);
