import { unknownPath } from "@/lib/xs2a/endpoint";

// Would be read as a payment service without a folder of its own.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath();
