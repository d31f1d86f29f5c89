module example.test/larder

go 1.22
