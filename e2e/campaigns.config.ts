import config from "./playwright.config";

/** What takes too long for `npm test`: every page pictured, the random walk, crashes and several processes. */
export default { ...config, testDir: "campaigns", testIgnore: [] };
