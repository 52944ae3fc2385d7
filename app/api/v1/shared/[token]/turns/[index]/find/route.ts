import { readFindInTurn } from "@/app/api/v1/find";
import { forShare } from "@/app/api/v1/reads";

export const GET = readFindInTurn(forShare);
