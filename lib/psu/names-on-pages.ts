import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { Creditor } from "@/lib/domain/payment/payment";
import type { Permission } from "@/lib/domain/permissions/permission";
import { type ShownName, shownName } from "@/lib/domain/shown-name";
import type { Tpp } from "@/lib/domain/tpp/tpp";
import type { Language } from "./texts/language";

/** A stranger's name as a page or a file for the PSU has it; to be applied once, where its row is read. */
export function nameOnPage(name: string, language: Language): ShownName {
  return shownName(name, { charactersMax: aspspProfile.names.onPageCharactersMax, language });
}

export function tppOnPage(tpp: Tpp, language: Language): Tpp {
  const { name, authorityName } = tpp;
  return {
    ...tpp,
    name: nameOnPage(name, language),
    authorityName: nameOnPage(authorityName, language),
  };
}

export function creditorOnPage(creditor: Creditor, language: Language): Creditor {
  return { ...creditor, name: nameOnPage(creditor.name, language) };
}

export function permissionOnPage(permission: Permission, language: Language): Permission {
  const tpp = tppOnPage(permission.tpp, language);
  if (permission.kind !== "payments") return { ...permission, tpp };
  const { payment } = permission;
  const creditor = creditorOnPage(payment.order.creditor, language);
  return { ...permission, tpp, payment: { ...payment, order: { ...payment.order, creditor } } };
}
