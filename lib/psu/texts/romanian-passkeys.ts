import { day } from "./formats";
import type { PasskeysTexts, PasskeyTexts } from "./passkey-texts";
import { counted, formats } from "./romanian-formats";

export const romanianPasskey: PasskeyTexts = {
  heading: "Confirmați cu cheia de acces sau cu un cod",
  hint: "Pentru cheia de acces, dispozitivul vă cere amprenta, fața sau codul PIN. Codul vine prin SMS pe telefonul dumneavoastră.",
  submit: "Folosiți cheia de acces",
  sendCode: "Cereți un cod",
  cancelled:
    "Nu s-a folosit nicio cheie de acces și nu s-a confirmat nimic. Încercați din nou sau folosiți un cod.",
};

export const romanianPasskeys: PasskeysTexts = {
  heading: "Cheile dumneavoastră de acces",
  lead: "Cu o cheie de acces confirmați prin amprentă, prin față sau cu codul PIN al dispozitivului, fără cod prin SMS.",
  none: "Nu aveți încă nicio cheie de acces.",
  added: (date) => `Adăugată la ${day(formats, date)}`,
  lastUsed: (date) => `Folosită ultima dată la ${day(formats, date)}`,
  neverUsed: "Nefolosită încă",
  remove: "Eliminați",
  addHeading: "Adăugați o cheie de acces",
  name: "Numele cheii de acces",
  nameHint: "Ca să o recunoașteți, de exemplu dispozitivul pe care se află.",
  add: "Adăugați o cheie",
  needsJavaScript:
    "Pentru a adăuga o cheie de acces, browserul trebuie să cunoască aceste chei și să aibă JavaScript pornit.",
  signInFirst: (minutes) =>
    `O cheie de acces confirmă în numele dumneavoastră. Pentru siguranță, se poate adăuga numai în primele ${counted(minutes, { one: "minut", many: "minute" })} după autentificare.`,
  noMore: (passkeysMax) =>
    `Aveți ${counted(passkeysMax, { one: "o cheie", many: "chei" })} de acces, câte pot fi cel mult.`,
  cancelled: "Nu s-a adăugat nicio cheie de acces. Încercați din nou dacă doriți.",
  removing: (name) => ({
    heading: `Eliminați cheia de acces „${name}”?`,
    lead: "Cu ea nu se va mai putea confirma nimic. Dacă nu aveți altă cheie de acces, confirmați cu un cod prin SMS.",
  }),
  removeSubmit: "Eliminați",
  keep: "Păstrați-o",
  addedMessage: (bankName) =>
    `La ${bankName} s-a adăugat o cheie de acces la autentificarea dumneavoastră. Dacă nu ați făcut-o dumneavoastră, sunați imediat la bancă.`,
  removedMessage: (bankName) =>
    `La ${bankName} s-a eliminat o cheie de acces din autentificarea dumneavoastră. Dacă nu ați făcut-o dumneavoastră, sunați imediat la bancă.`,
  toPermissions: "Accesul pe care l-ați dat",
};
