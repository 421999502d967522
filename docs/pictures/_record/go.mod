module banditsim/docs/pictures/record

go 1.26.0
