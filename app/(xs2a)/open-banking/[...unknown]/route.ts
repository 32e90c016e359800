import { unknownPath } from "@/lib/xs2a/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath();
