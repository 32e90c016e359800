import { unknownPath } from "@/lib/xs2a/resource";
import { unknownProduct } from "@/lib/xs2a/wire/payment-path";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath(unknownProduct);
