/** Why a trusted list is refused, in a sentence for whoever has set it. */
export class ListFault extends Error {
  override readonly name = "ListFault";
}
