extension Stone {
    func view() { viewed += 1 }
}
