export * from "./drawbridge";
export * from "./ledger";
