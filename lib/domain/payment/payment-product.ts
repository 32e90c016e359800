import type { AspspProfile } from "../aspsp-profile";
import type { ProductTerms } from "./product-terms";

export type PaymentProduct = keyof AspspProfile["payments"]["products"];

export function isProduct(profile: AspspProfile, name: string): name is PaymentProduct {
  return Object.hasOwn(profile.payments.products, name);
}

export function termsOf(profile: AspspProfile, product: PaymentProduct): ProductTerms {
  return profile.payments.products[product];
}
