export * from "./accounts";
export * from "./entries";
export * from "./payments";
export * from "./standing-orders";
