export * from "./accounts";
export * from "./entries";
export * from "./payments";
export * from "./psus";
export * from "./standing-orders";
