import { forShare, readTurn } from "@/app/api/v1/reads";

export const GET = readTurn(forShare);
