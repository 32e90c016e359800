/** False in `npm test`; true where RANDOM_INPUTS=all, as in `npm run test:campaigns`. */
export const areAll = process.env["RANDOM_INPUTS"] === "all";

/** Of so many random inputs a fifth in `npm test`. */
export const inputs = (all: number): number => (areAll ? all : Math.ceil(all / 5));
