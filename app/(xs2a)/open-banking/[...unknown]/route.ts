import { unknownPath } from "@/lib/xs2a/endpoint";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath();
