export * from "./authorisations";
export * from "./consents";
export * from "./funds";
export * from "./logs";

export * from "./oidc";

export * from "./payments";

export * from "./psus";

export * from "./sandbox";

export * from "./tpps";
