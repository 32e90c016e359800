import { OwnDocument } from "../own-channel/own-document";

export default OwnDocument;
