export * from "./account";
export * from "./account-funds";
export * from "./account-owner";
export * from "./customer";
export * from "./day";
export * from "./entry";
export * from "./imported-statement";
export * from "./standing-order";
