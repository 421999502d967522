module banditsim/ci/house

go 1.26.0
