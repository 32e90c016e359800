// The library throws on loading unless this is there before it; so it is loaded from here only.
import "reflect-metadata";

export * from "@peculiar/x509";
