import config from "./playwright.config";

/** What takes too long for `npm test`: every page pictured, the random walk, crashes, several processes, and `next start` alone. */
export default { ...config, testDir: "campaigns", testIgnore: [] };
