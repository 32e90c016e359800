import { unknownPath } from "@/lib/xs2a/endpoint";
import { unknownProduct } from "@/lib/xs2a/wire/payments";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath(unknownProduct);
