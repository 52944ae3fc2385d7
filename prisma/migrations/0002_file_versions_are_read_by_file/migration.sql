-- Versions are read by file and number alone; the index by turn was a tenth of what a small edit costs.
DROP INDEX "FileVersion_importId_turn_idx";
